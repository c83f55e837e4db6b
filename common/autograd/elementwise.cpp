#include "common/autograd/elementwise.h"

#include "common/autograd/node.h"

namespace napkin::autograd {
namespace {

Tensor same(const Tensor& g) { return g; }

Scalar negative(Scalar s) {
  return s.is_floating() ? Scalar(-s.to_double()) : Scalar(-s.to_int64());
}

}  // namespace

// With alpha 1 the gradient is the same tensor: nothing is multiplied.
Variable add(const Variable& a, const Variable& b, Scalar alpha) {
  return record("add", napkin::add(a.value(), b.value(), alpha), d(a, same),
                d(b, [alpha](const Tensor& g) { return alpha == Scalar(1) ? g : g * alpha; }));
}

Variable sub(const Variable& a, const Variable& b, Scalar alpha) {
  return record(
      "sub", napkin::sub(a.value(), b.value(), alpha), d(a, same),
      d(b, [alpha](const Tensor& g) { return alpha == Scalar(1) ? -g : g * negative(alpha); }));
}

Variable mul(const Variable& a, const Variable& b) {
  return record("mul", napkin::mul(a.value(), b.value()),
                d(a, [b = save(b, a)](const Tensor& g) { return g * b(); }),
                d(b, [a = save(a, b)](const Tensor& g) { return g * a(); }));
}

Variable div(const Variable& a, const Variable& b) {
  return record("div", napkin::div(a.value(), b.value()),
                d(a, [b = save(b, a)](const Tensor& g) { return g / b(); }),
                d(b, [a = save(a, b), b = save(b, b)](const Tensor& g) {
                  const Tensor by = b();
                  return -g * (a() / by / by);
                }));
}

Variable add(const Variable& a, Scalar b) {
  return record("add", napkin::add(a.value(), b), d(a, same));
}

Variable sub(const Variable& a, Scalar b) {
  return record("sub", napkin::sub(a.value(), b), d(a, same));
}

Variable mul(const Variable& a, Scalar b) {
  return record("mul", napkin::mul(a.value(), b), d(a, [b](const Tensor& g) { return g * b; }));
}

Variable div(const Variable& a, Scalar b) {
  return record("div", napkin::div(a.value(), b), d(a, [b](const Tensor& g) { return g / b; }));
}

Variable neg(const Variable& a) {
  return record("neg", napkin::neg(a.value()), d(a, [](const Tensor& g) { return -g; }));
}

Variable abs(const Variable& a) {
  return record("abs", napkin::abs(a.value()),
                d(a, [a = save(a, a)](const Tensor& g) { return g * napkin::sign(a()); }));
}

Variable sign(const Variable& a) {
  return record("sign", napkin::sign(a.value()), d(a, [](const Tensor& g) { return g * 0; }));
}

Variable addcmul(const Variable& a, const Variable& b, const Variable& c, Scalar value) {
  return record("addcmul", napkin::addcmul(a.value(), b.value(), c.value(), value), d(a, same),
                d(b, [c = save(c, b), value](const Tensor& g) { return g * (c() * value); }),
                d(c, [b = save(b, c), value](const Tensor& g) { return g * (b() * value); }));
}

Variable lerp(const Variable& a, const Variable& b, Scalar weight) {
  const double w = weight.to_double();
  return record("lerp", napkin::lerp(a.value(), b.value(), weight),
                d(a, [w](const Tensor& g) { return g * (1 - w); }),
                d(b, [w](const Tensor& g) { return g * w; }));
}

Variable lerp(const Variable& a, const Variable& b, const Variable& weight) {
  return record("lerp", napkin::lerp(a.value(), b.value(), weight.value()),
                d(a, [w = save(weight, a)](const Tensor& g) { return g * (1 + -w()); }),
                d(b, [w = save(weight, b)](const Tensor& g) { return g * w(); }),
                d(weight, [a = save(a, weight), b = save(b, weight)](const Tensor& g) {
                  return g * (b() - a());
                }));
}

// ---- Functions of one number ------------------------------------------------------------------

Variable exp(const Variable& a) {
  const Tensor y = napkin::exp(a.value());
  return record("exp", y, d(a, [y = save(y, a)](const Tensor& g) { return g * y(); }));
}

Variable log(const Variable& a) {
  return record("log", napkin::log(a.value()),
                d(a, [a = save(a, a)](const Tensor& g) { return g / a(); }));
}

Variable sqrt(const Variable& a) {
  const Tensor y = napkin::sqrt(a.value());
  return record("sqrt", y, d(a, [y = save(y, a)](const Tensor& g) { return g / (y() * 2); }));
}

Variable rsqrt(const Variable& a) {
  const Tensor y = napkin::rsqrt(a.value());
  return record("rsqrt", y, d(a, [y = save(y, a)](const Tensor& g) {
                  const Tensor r = y();
                  return g * (r * r * r * -0.5);
                }));
}

Variable tanh(const Variable& a) {
  const Tensor y = napkin::tanh(a.value());
  return record("tanh", y, d(a, [y = save(y, a)](const Tensor& g) {
                  const Tensor t = y();
                  return g * (1 + -(t * t));
                }));
}

Variable sigmoid(const Variable& a) {
  const Tensor y = napkin::sigmoid(a.value());
  return record("sigmoid", y, d(a, [y = save(y, a)](const Tensor& g) {
                  const Tensor s = y();
                  return g * ((1 + -s) * s);
                }));
}

// The result is saved, which the next function needs anyway.
Variable relu(const Variable& a) {
  const Tensor y = napkin::relu(a.value());
  return record("relu", y, d(a, [y = save(y, a)](const Tensor& g) {
                  return napkin::where(napkin::le(y(), 0), 0, g);
                }));
}

// gelu(x) = x P(x) with P the normal distribution: P + x P', P = gelu(x) / x but for x = 0, P' the
// bell curve. By tanh: P = (1 + t) / 2, t = tanh(c (x + k x^3)) (Hendrycks and Gimpel 2016,
// arXiv:1606.08415).
static Tensor gelu_slope(const Tensor& x, Gelu form) {
  if (form == Gelu::tanh) {
    constexpr double c = 0.79788456080286535588, k = 0.044715;  // sqrt(2 / pi)
    const Tensor squared = x * x;
    const Tensor t = napkin::tanh(x * (squared * k + 1) * c);
    return (t + 1) * 0.5 + x * (1 + -(t * t)) * (squared * (3 * k) + 1) * (c / 2);
  }
  constexpr double bell = 0.39894228040143267794;  // 1 / sqrt(2 pi)
  const Tensor none = napkin::le(napkin::abs(x), 1e-30);
  const Tensor share = napkin::where(none, 0.5, napkin::gelu(x) / x);
  return share + x * napkin::exp(x * x * -0.5) * bell;
}

Variable gelu(const Variable& a, Gelu form) {
  return record(
      "gelu", napkin::gelu(a.value(), form),
      d(a, [a = save(a, a), form](const Tensor& g) { return g * gelu_slope(a(), form); }));
}

// ---- One of the operands ----------------------------------------------------------------------

Variable clamp(const Variable& a, std::optional<Scalar> low, std::optional<Scalar> high) {
  return record("clamp", napkin::clamp(a.value(), low, high),
                d(a, [a = save(a, a), low, high](const Tensor& g) {
                  const Tensor x = a();
                  Tensor kept = g;
                  if (low) kept = napkin::where(napkin::gt(x, *low), kept, 0);
                  if (high) kept = napkin::where(napkin::lt(x, *high), kept, 0);
                  return kept;
                }));
}

// What goes to the operand that is `over` the other one by its comparison.
template <class Over>
static Tensor share(const Tensor& g, const Tensor& a, const Tensor& b, Over over) {
  return napkin::where(over(a, b), g, napkin::where(napkin::eq(a, b), g * 0.5, 0));
}

Variable maximum(const Variable& a, const Variable& b) {
  const auto over = [](const Tensor& x, const Tensor& y) { return napkin::gt(x, y); };
  return record("maximum", napkin::maximum(a.value(), b.value()),
                d(a, [a = save(a, a), b = save(b, a),
                      over](const Tensor& g) { return share(g, a(), b(), over); }),
                d(b, [a = save(a, b), b = save(b, b), over](const Tensor& g) {
                  return share(g, b(), a(), over);
                }));
}

Variable minimum(const Variable& a, const Variable& b) {
  const auto over = [](const Tensor& x, const Tensor& y) { return napkin::lt(x, y); };
  return record("minimum", napkin::minimum(a.value(), b.value()),
                d(a, [a = save(a, a), b = save(b, a),
                      over](const Tensor& g) { return share(g, a(), b(), over); }),
                d(b, [a = save(a, b), b = save(b, b), over](const Tensor& g) {
                  return share(g, b(), a(), over);
                }));
}

Variable where(const Tensor& condition, const Variable& a, const Variable& b) {
  return record(
      "where", napkin::where(condition, a.value(), b.value()),
      d(a, [c = save(condition, a)](const Tensor& g) { return napkin::where(c(), g, 0); }),
      d(b, [c = save(condition, b)](const Tensor& g) { return napkin::where(c(), 0, g); }));
}

}  // namespace napkin::autograd
