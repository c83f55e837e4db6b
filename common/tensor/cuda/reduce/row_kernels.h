// The kernels of softmax and of cumulative sums, as structs that GPU and host run (gpu/launch.h).
// Lines are unbroken and stand one after the other.
#pragma once
#include "common/tensor/cuda/reduce/reduce_kernels.h"
#include "common/tensor/rules/softmax.h"

namespace napkin::cuda {

// A team of threads for each line. Sums have the order of the CPU (reduce_loops.h): a thread for
// each of the 32 lanes of each block of 1024. A line stays in shared memory where it fits there,
// else it is read once for each use.
template <class S>
struct SoftmaxLines {
  static constexpr int threads = 256, room = (32 << 10) / static_cast<int>(sizeof(S));
  static constexpr int most_blocks = 1024;

  std::int64_t lines, n;
  const std::byte* x;
  std::byte* y;
  DType dtype;
  std::int64_t size;  // bytes of an element
  bool is_log, packets;
  int team = static_cast<int>(reduce_lanes);
  bool is_kept = false;

  struct Shared {
    S numbers[room], partial[threads], largest[threads / reduce_lanes], sums[most_blocks];
  };

  // Sets the number of threads for a line.
  void choose_team() {
    while (team < threads && (team < reduce_lanes * blocks() || threads / team * n > room))
      team *= 2;
    is_kept = threads / team * n <= room;
  }
  gpu::Grid grid() const { return {(lines + threads / team - 1) / (threads / team), threads}; }
  NAPKIN_HD std::int64_t blocks() const { return (n - 1) / reduce_block + 1; }
  NAPKIN_HD int rounds() const {
    return static_cast<int>((blocks() * reduce_lanes + team - 1) / team);
  }
  NAPKIN_HD int levels() const {
    int count = 0;
    while ((std::int64_t{1} << count) < blocks()) ++count;
    return count;
  }
  NAPKIN_HD int phases() const { return 3 + 2 * rounds() + levels() + 1; }

  NAPKIN_HD void operator()(const gpu::Thread& at, Shared& shared, int phase) const {
    const int which = at.index / team, member = at.index % team;
    const std::int64_t line = at.block * (threads / team) + which;
    if (line >= lines) return;
    const Line here{line * n * size,
                    which,
                    member,
                    shared.partial + which * team,
                    shared.numbers + which * n,
                    shared.sums + which * blocks()};
    const int folds = 3 + 2 * rounds();
    if (phase == 0) return load(here);
    if (phase <= 2) return find_largest(here, shared, phase);
    if (phase >= folds + levels()) return finish(here, shared);
    if (phase >= folds) return fold(here, std::int64_t{1} << (folds + levels() - 1 - phase));
    const std::int64_t lane = std::int64_t{(phase - 3) / 2} * team + member;
    if (lane >= blocks() * reduce_lanes) return;
    phase % 2 == 1 ? add_lane(here, shared, lane) : fold_lanes(here, lane);
  }

 private:
  struct Line {
    std::int64_t start;  // in bytes
    int which, member;
    S *partial, *numbers, *sums;
  };

  NAPKIN_HD S number(const Line& at, std::int64_t i) const {
    return is_kept ? at.numbers[i] : read_element<S>(x + at.start + i * size, dtype, dtype);
  }

  NAPKIN_HD void load(const Line& at) const {
    S largest = -std::numeric_limits<S>::infinity();
    const int width = packets ? 4 : 1;
    for (std::int64_t i = at.member * width; i < n; i += team * width) {
      Four<S> four;
      if (packets)
        four = read_packet<S>(x + at.start + i * size, dtype);
      else
        four.x[0] = read_element<S>(x + at.start + i * size, dtype, dtype);
      for (int k = 0; k < 4; ++k) {
        if (k >= width) continue;
        largest = larger(largest, four.x[k]);
        if (is_kept) at.numbers[i + k] = four.x[k];
      }
    }
    at.partial[at.member] = largest;
  }

  NAPKIN_HD void find_largest(const Line& at, Shared& shared, int phase) const {
    const int apart = phase == 1 ? 8 : 1, count = phase == 1 ? team : 8;
    if (at.member >= apart) return;
    S largest = at.partial[at.member];
    for (int i = at.member + apart; i < count; i += apart) largest = larger(largest, at.partial[i]);
    at.partial[at.member] = largest;
    if (phase == 2) shared.largest[at.which] = largest;
  }

  NAPKIN_HD void add_lane(const Line& at, const Shared& shared, std::int64_t lane) const {
    const std::int64_t first = lane / reduce_lanes * reduce_block;
    const std::int64_t stop = first + reduce_block < n ? first + reduce_block : n;
    const S largest = shared.largest[at.which];
    S sum = 0;
    for (std::int64_t i = first + lane % reduce_lanes; i < stop; i += reduce_lanes) {
      const S power = exp_of(number(at, i) - largest);
      sum += power;
      if (is_kept && !is_log) at.numbers[i] = power;
    }
    at.partial[at.member] = sum;
  }

  NAPKIN_HD void fold_lanes(const Line& at, std::int64_t lane) const {
    if (lane % reduce_lanes != 0) return;
    const std::int64_t block = lane / reduce_lanes, left = n - block * reduce_block;
    const int used = static_cast<int>(left < reduce_lanes ? left : reduce_lanes);
    at.sums[block] = fold_few<Add>(at.partial + at.member, used, 1);
  }

  NAPKIN_HD void fold(const Line& at, std::int64_t half) const {
    const std::int64_t count = 2 * half < blocks() ? 2 * half : blocks();
    for (std::int64_t i = at.member; i + half < count; i += team) at.sums[i] += at.sums[i + half];
  }

  NAPKIN_HD void finish(const Line& at, const Shared& shared) const {
    const S largest = shared.largest[at.which], sum = at.sums[0];
    const S divisor = is_log ? log_of(sum) : sum;
    const int width = packets ? 4 : 1;
    for (std::int64_t i = at.member * width; i < n; i += team * width) {
      Four<S> four;
      for (int k = 0; k < 4; ++k) {  // a fixed number of turns keeps them in registers
        if (k >= width) continue;
        const S value = number(at, i + k);
        if (is_log)
          four.x[k] = (value - largest) - divisor;
        else
          four.x[k] = (is_kept ? value : exp_of(value - largest)) / divisor;
      }
      if (packets)
        write_packet(y + at.start + i * size, dtype, four);
      else
        write_element(y + at.start + i * size, dtype, four.x[0]);
    }
  }
};

// Cumulative sums of parts of 2048 elements, eight for each thread; in Wide, which is double or
// int64.
template <class S, class Wide>
struct ScanParts {
  static constexpr int threads = 256, each = 8, part = threads * each, steps = 8;

  std::int64_t lines, n, parts;  // of a line
  const std::byte* x;
  DType from;
  std::int64_t from_size;
  std::byte* y;  // the sums; or
  DType to;
  std::int64_t to_size;
  Wide* totals;        // only the sum of each part, (lines, parts)
  const Wide* so_far;  // cumulative totals, where there are several parts

  struct Shared {
    Wide numbers[part + threads], sums[2][threads];
  };
  NAPKIN_HD static int phases() { return steps + 4; }
  gpu::Grid grid() const { return {lines * parts, threads}; }

  NAPKIN_HD void operator()(const gpu::Thread& at, Shared& shared, int phase) const {
    const std::int64_t line = at.block / parts, number = at.block % parts;
    const std::int64_t first = line * n + number * part;
    const std::int64_t left = n - number * part;
    const int count = static_cast<int>(left < part ? left : part), t = at.index;
    if (phase == 0) return load(shared, first, count, t);
    if (phase == 1) return add_own(shared, t);
    if (phase < 2 + steps) return add_others(shared, phase - 2, t);
    const Wide before =
        number > 0 && so_far != nullptr ? so_far[line * parts + number - 1] : Wide{};
    if (phase == 2 + steps) {
      if (totals != nullptr && t == threads - 1) totals[at.block] = shared.sums[0][t];
      const Wide others = t > 0 ? Add{}(before, shared.sums[0][t - 1]) : before;
      for (int k = 0; k < each; ++k)
        shared.numbers[place(t * each + k)] = Add{}(others, shared.numbers[place(t * each + k)]);
      return;
    }
    for (int i = t; y != nullptr && i < count; i += threads)
      write_element(y + (first + i) * to_size, to, shared.numbers[place(i)]);
  }

 private:
  // Neighbouring threads' own numbers lie in different banks.
  NAPKIN_HD static int place(int i) { return i + i / each; }

  NAPKIN_HD void load(Shared& shared, std::int64_t first, int count, int t) const {
    for (int i = t; i < part; i += threads)
      shared.numbers[place(i)] =
          i < count ? static_cast<Wide>(read_element<S>(x + (first + i) * from_size, from, from))
                    : Wide{};
  }
  NAPKIN_HD static void add_own(Shared& shared, int t) {
    Wide sum{};
    for (int k = 0; k < each; ++k) {
      sum = Add{}(sum, shared.numbers[place(t * each + k)]);
      shared.numbers[place(t * each + k)] = sum;
    }
    shared.sums[0][t] = sum;
  }
  // Hillis and Steele 1986: after step s a thread has the sum of the 2^(s + 1) up to its own.
  NAPKIN_HD static void add_others(Shared& shared, int step, int t) {
    const Wide* sums = shared.sums[step % 2];
    const int back = 1 << step;
    shared.sums[(step + 1) % 2][t] = t >= back ? Add{}(sums[t - back], sums[t]) : sums[t];
  }
};

}  // namespace napkin::cuda
