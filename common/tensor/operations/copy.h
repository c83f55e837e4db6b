// Copies between layouts and dtypes: what copy_, contiguous, clone and to are made of.
#pragma once
#include <string_view>

#include "common/tensor/tensor.h"

namespace napkin {

// Refuses a tensor that must not be written in place: undefined, or with elements that share one
// place of the storage. The operation is named without its underscore.
void check_writable(const Tensor& x, std::string_view operation);

// Whether both are the same elements in the same order: what is written to one at an index is read
// from the other at that index and no other.
bool same_elements(const Tensor& a, const Tensor& b);

// Whether the stretches of memory from the first to the last element of each meet. Interleaved
// views (every other column) meet without having an element in common.
bool may_share_memory(const Tensor& a, const Tensor& b);

// Bytes of the elements, those repeated by an expanded dimension counted once: what must be read.
std::int64_t distinct_bytes(const Tensor& x);

// Writes the elements of source, converted, to those of destination; equal shapes, one device (or
// meta as the destination), and no element of the source is also one of the destination. convert.h
// is the rule; the overflow counts for small floating types.
void copy_elements(const Tensor& destination, const Tensor& source);
void copy_elements(const Tensor& destination, const Tensor& source, Overflow overflow);

// Writes the number, converted, to every element: part of an operation, and of no event.
void fill_elements(const Tensor& x, Scalar value);

}  // namespace napkin
