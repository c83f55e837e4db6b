"""Demo 07 in PyTorch 2.15: what the program is compared with. Usage: training.py [SEED ...]"""
import copy, math, os, sys
import torch as T
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
V, K, E, H, B, L, STEPS, WARMUP, PEAK, FLOOR, DECAY = 256, 8, 32, 256, 32, 64, 1000, 100, 2.5e-3, 2.5e-4, 0.1


def load():
    data = open(os.path.join(HERE, "..", "corpus", "stories.txt"), "rb").read()
    n = int(len(data) * 0.9)
    return T.tensor(list(data[:n])), T.tensor(list(data[n:]))


class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        cut = lambda rows, cols, s: T.nn.Parameter(T.nn.init.trunc_normal_(T.empty(rows, cols), 0, s, -3 * s, 3 * s))
        self.embedding = cut(V, E, 1.0)
        self.w1 = cut(H, K * E, math.sqrt(2 / (K * E + H)))  # (out, in)
        self.w2 = cut(V, H, math.sqrt(2 / (H + V)))

    def forward(self, x):  # (B, L) -> (B, L, V); left of a sample's first byte the window sees byte 0
        window = F.pad(x, (K - 1, 0)).unfold(1, K, 1)  # (B, L, K)
        h = self.embedding[window].flatten(2)
        return F.relu(h @ self.w1.t()) @ self.w2.t()


def loss_of(model, x, y):
    return F.cross_entropy(model(x).flatten(0, 1), y.flatten())


def get_batch(data):
    start = T.randint(len(data) - L, (B,))  # starts 0 .. len-L-1: the last one is drawn too
    at = start[:, None] + T.arange(L + 1)
    return data[at][:, :-1], data[at][:, 1:]


def evaluate(model, data):  # starts 0, L, 2L, ... below len-L; mean over all tokens
    n = (len(data) - 1) // L
    with T.no_grad():
        return loss_of(model, data[: n * L].view(n, L), data[1 : n * L + 1].view(n, L)).item()


def rate(t):  # t = 1 .. STEPS
    return PEAK * t / WARMUP if t <= WARMUP else FLOOR + 0.5 * (1 + math.cos(math.pi * (t - WARMUP) / (STEPS - WARMUP))) * (PEAK - FLOOR)


def optimizer(model):
    return T.optim.AdamW(model.parameters(), lr=PEAK, betas=(0.9, 0.95), eps=1e-8, weight_decay=DECAY)


def train(model, opt, data, first, last, watch=lambda t: None):
    for t in range(first, last + 1):
        for group in opt.param_groups:
            group["lr"] = rate(t)
        loss = loss_of(model, *get_batch(data))
        opt.zero_grad()
        loss.backward()
        T.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        watch(t)


def sample(model, prompt, n, temperature):
    ctx = list(prompt)
    for _ in range(n):
        x = F.pad(T.tensor([ctx[-K:]]), (max(0, K - len(ctx)), 0))
        with T.no_grad():
            ctx.append(T.multinomial(F.softmax(model(x)[0, -1] / temperature, -1), 1).item())
    return bytes(ctx).decode("latin1")


if __name__ == "__main__":
    tr, va = load()
    for seed in [int(s) for s in sys.argv[1:]] or [0]:
        T.manual_seed(seed)
        model = Model()
        opt = optimizer(model)
        rows = [(0, evaluate(model, tr), evaluate(model, va))]
        train(model, opt, tr, 1, STEPS, lambda t: rows.append((t, evaluate(model, tr), evaluate(model, va))) if t % 100 == 0 else None)
        print("seed", seed, [(t, round(a, 3), round(b, 3)) for t, a, b in rows])
        for temperature in (0.5, 0.8, 1.0):
            s = sample(model, b"The ", 1000, temperature)
            print("  T", temperature, {w: sum(t.strip(".,!?\"") == w for t in s.split()) for w in ("and", "the", "said", "Mom")})
        T.manual_seed(seed)
        model = Model()
        opt = optimizer(model)
        train(model, opt, tr, 1, 100)
        other, state = copy.deepcopy(model), T.get_rng_state()
        train(model, opt, tr, 101, 200)
        T.set_rng_state(state)
        train(other, optimizer(other), tr, 101, 200)
        print("  without optimizer state, 100 + 100 steps:", round(max((a - b).abs().max().item() for a, b in zip(model.parameters(), other.parameters())), 4))
