#include "common/autograd/reduce.h"

#include <algorithm>
#include <cmath>

#include "common/autograd/node.h"
#include "common/tensor/create.h"
#include "common/tensor/operations/cumsum.h"
#include "common/tensor/operations/index.h"
#include "common/tensor/operations/reduce.h"
#include "common/tensor/operations/softmax.h"

namespace napkin::autograd {
namespace {

// The dimensions of a reduction, and how what it made is seen beside what went in: with the reduced
// ones of size 1.
struct Reduced {
  Shape shape, kept;
  Dims over;
  std::int64_t count = 1;  // elements that become one

  Reduced(const Variable& x, const Dims& dims) : shape(x.shape()), kept(x.shape()), over(dims) {
    if (over.empty())
      for (int k = 0; k < x.rank(); ++k) over.push_back(k);
    for (const std::int64_t k : over) {
      const int at = static_cast<int>(k < 0 ? k + x.rank() : k);
      if (at >= 0 && at < x.rank()) {  // a number without dimensions is reduced over 0, too
        count *= shape[at];
        kept[at] = 1;
      }
    }
  }
  Tensor beside(const Tensor& y) const { return y.reshape(kept); }
};

// Equal shares among the elements where `chosen` holds.
Tensor shared(const Tensor& g, const Tensor& chosen, const Reduced& r) {
  const Tensor many = napkin::sum(chosen.to(g.dtype()), r.over, true);
  return napkin::where(chosen, r.beside(g) / many.reshape(r.kept), 0);
}

}  // namespace

Variable sum(const Variable& x, const Dims& over, bool keep) {
  return record(
      "sum", napkin::sum(x.value(), over, keep),
      d(x, [r = Reduced(x, over)](const Tensor& g) { return r.beside(g).expand(r.shape); }));
}

Variable mean(const Variable& x, const Dims& over, bool keep) {
  return record("mean", napkin::mean(x.value(), over, keep),
                d(x, [r = Reduced(x, over)](const Tensor& g) {
                  return (r.beside(g) / static_cast<double>(r.count)).expand(r.shape);
                }));
}

// The product of all others: y / x, but where there is a single 0, the product of what is none; and
// 0 where there are more.
Variable prod(const Variable& x, const Dims& over, bool keep) {
  const Tensor y = napkin::prod(x.value(), over, keep);
  return record(
      "prod", y, d(x, [x = save(x, x), y = save(y, x), r = Reduced(x, over)](const Tensor& g) {
        const Tensor e = x(), none = napkin::eq(e, 0);
        const Tensor zeros = napkin::sum(none, r.over, true).reshape(r.kept);
        const Tensor rest = napkin::prod(napkin::where(none, 1, e), r.over, true).reshape(r.kept);
        const Tensor at_zero = napkin::where(napkin::eq(zeros, 1), rest, 0);
        const Tensor elsewhere = r.beside(y()) / napkin::where(none, 1, e);
        return r.beside(g) * napkin::where(none, at_zero, elsewhere);
      }));
}

static Variable extreme(const char* name, const Variable& x, const Dims& over, const Tensor& y) {
  return record(name, y,
                d(x, [x = save(x, x), y = save(y, x), r = Reduced(x, over)](const Tensor& g) {
                  return shared(g, napkin::eq(x(), r.beside(y())), r);
                }));
}

Variable max(const Variable& x, const Dims& over, bool keep) {
  return extreme("max", x, over, napkin::max(x.value(), over, keep));
}

Variable min(const Variable& x, const Dims& over, bool keep) {
  return extreme("min", x, over, napkin::min(x.value(), over, keep));
}

Variable var(const Variable& x, const Dims& over, double correction, bool keep) {
  return record("var", napkin::var(x.value(), over, correction, keep),
                d(x, [x = save(x, x), r = Reduced(x, over), correction](const Tensor& g) {
                  const Tensor e = x();
                  const Tensor middle = napkin::mean(e, r.over, true).reshape(r.kept);
                  const double n = std::max(0.0, static_cast<double>(r.count) - correction);
                  return r.beside(g) * (e - middle) * (2 / n);
                }));
}

// y = (sum |x|^p)^(1/p): sign(x) (|x| / y)^(p - 1), and 0 where y or, for p < 2, x is 0.
static Tensor norm_slope(const Tensor& x, const Tensor& y, double p) {
  if (p == 0) return x * 0;
  const Tensor none = napkin::eq(y, 0);
  if (p == 1) return napkin::sign(x);
  if (p == 2) return napkin::where(none, 0, x / y);
  const Tensor share = napkin::exp((napkin::log(napkin::abs(x)) - napkin::log(y)) * (p - 1));
  return napkin::where(napkin::eq(x, 0), 0, napkin::sign(x) * share);
}

Variable norm(const Variable& x, double p, const Dims& over, bool keep) {
  const Tensor y = napkin::norm(x.value(), p, over, keep);
  return record("norm", y,
                d(x, [x = save(x, x), y = save(y, x), r = Reduced(x, over), p](const Tensor& g) {
                  const Tensor e = x(), whole = r.beside(y());
                  if (std::isinf(p))
                    return shared(g, napkin::eq(napkin::abs(e), whole), r) * napkin::sign(e);
                  return r.beside(g) * norm_slope(e, whole, p);
                }));
}

// ---- Along a dimension ------------------------------------------------------------------------

Variable softmax(const Variable& x, int dim) {
  const Tensor y = napkin::softmax(x.value(), dim);
  return record("softmax", y, d(x, [y = save(y, x), dim](const Tensor& g) {
                  const Tensor s = y(), gs = g * s;
                  return gs - s * napkin::sum(gs, {dim}, true);
                }));
}

Variable log_softmax(const Variable& x, int dim) {
  const Tensor y = napkin::log_softmax(x.value(), dim);
  return record("log_softmax", y, d(x, [y = save(y, x), dim](const Tensor& g) {
                  return g - napkin::exp(y()) * napkin::sum(g, {dim}, true);
                }));
}

// Each element is in the sums from its own place on: a cumulative sum from the end.
Variable cumsum(const Variable& x, int dim) {
  return record("cumsum", napkin::cumsum(x.value(), dim), d(x, [dim](const Tensor& g) {
                  if (g.rank() == 0) return g;
                  const std::int64_t n = g.size(dim);
                  const Tensor back =
                      arange(n - 1, -1, -1, {.dtype = DType::int64, .device = g.device()});
                  return index_select(napkin::cumsum(index_select(g, dim, back), dim), dim, back);
                }));
}

}  // namespace napkin::autograd
