// The devices of lecture 2.4: the link to the GPU, and why the clock must wait for it.
#pragma once

namespace napkin {

// The three devices, what this machine has of them, and what to remember.
void print_devices();

// For machines with a GPU. What its memory and the link to it carry: the values device_gb_s,
// pinned_gb_s, pageable_gb_s (the better of both directions), the claim host_link_slower. Then the
// time of one operation with and without waiting for it: the values unsynchronised_us and
// synchronised_us, the claim unsynchronised_lies.
void measure_gpu();

}  // namespace napkin
