"""Whether dealt cards are those of fair shuffles: what is counted, and its chances."""

import numpy as np
from chance import BATCHES, Chances, Table, of_mean

from kernels.codes import CARDS, DRAWN, FACES, HAND_CARDS

# Cards apart that are compared: the next drawn, the partner's, the same seat's next.
LAGS = (1, 2, 4)
PAIRS = np.triu_indices(FACES, 1)


def chances_of(deals: np.ndarray) -> Chances:
    """All chances of decks int8[deals, cards]; the deals fill the batches."""
    decks = deals.shape[1] // FACES
    told = positions(deals, decks) | hands(deals, decks) | same_hand(deals, decks)
    for lag in LAGS:
        told |= neighbours(deals, decks, lag)
    return told | consecutive(deals, decks)


def batched(index: np.ndarray, cells: int) -> np.ndarray:
    """How often each cell was met, by batch; the first axis of `index` is the deal."""
    deals = len(index) // BATCHES
    batch = np.arange(BATCHES * deals).reshape(-1, 1) // deals
    spread = index.reshape(len(index), -1)[: BATCHES * deals] + batch * cells
    found = np.bincount(spread.ravel(), minlength=BATCHES * cells)
    return found.reshape(BATCHES, cells).astype(np.float64)


def positions(deals: np.ndarray, decks: int) -> Chances:
    """Which face lies at which place of the deck."""
    cards = CARDS[decks]
    index = np.arange(cards) * FACES + deals
    share = 1 / FACES
    table = Table(
        batched(index, cards * FACES),
        len(deals) // BATCHES,
        share,
        share * (1 - share),
    )
    return {"positions": table.fit(), "positions, worst": table.largest()}


def zone_counts(deals: np.ndarray, decks: int) -> np.ndarray:
    """Copies of each face that each seat and the bottom were dealt: [deals, 5, 54]."""
    places = np.arange(CARDS[decks])
    zone = np.where(places < DRAWN[decks], places % 4, 4)
    index = zone * FACES + deals + np.arange(len(deals)).reshape(-1, 1) * (5 * FACES)
    return np.bincount(index.ravel(), minlength=len(deals) * 5 * FACES).reshape(
        len(deals), 5, FACES
    )


def hands(deals: np.ndarray, decks: int) -> Chances:
    """How often each seat, and the bottom, is dealt each face."""
    counts, cards = zone_counts(deals, decks), CARDS[decks]
    size = len(deals) // BATCHES
    by_batch = counts[: size * BATCHES].reshape(BATCHES, size, 5, FACES).sum(axis=1)
    told = {}
    for zone in range(5):
        part = (HAND_CARDS[decks] if zone < 4 else cards - DRAWN[decks]) / cards
        variance = decks * part * (1 - part) * (cards - decks) / (cards - 1)
        table = Table(by_batch[:, zone].astype(float), size, decks * part, variance)
        name = f"seat {zone}" if zone < 4 else "bottom"
        told[name] = table.fit()
    return told


def same_hand(deals: np.ndarray, decks: int) -> Chances:
    """Two faces, or two copies of one, in the same hand."""
    held = zone_counts(deals, decks)[:, :4]
    cards, hand = CARDS[decks], HAND_CARDS[decks]
    size = len(deals) // BATCHES
    together = 4 * hand * (hand - 1) / (cards * (cards - 1))
    first, second = PAIRS
    counts = np.empty((BATCHES, len(first)))
    for batch in range(BATCHES):
        its = held[batch * size : batch * size + size].reshape(-1, FACES)
        its = its.astype(np.float64)
        counts[batch] = (its.T @ its)[first, second]
    # All pairs of faces are alike; how one's number varies is read off some deals.
    some = held[: min(2_000, len(held))].astype(np.float64)
    each = np.einsum("nsa,nsb->nab", some, some)[:, first, second]
    mean = decks * decks * together
    table = Table(counts, size, mean, float(((each - mean) ** 2).mean()))
    copies = (held * (held - 1) // 2).sum(axis=(1, 2))
    return {
        "faces in a hand": table.fit(),
        "faces in a hand, worst": table.largest(),
        "copies in a hand": of_mean(
            copies.astype(float), FACES * decks * (decks - 1) / 2 * together
        ),
    }


def neighbours(deals: np.ndarray, decks: int, lag: int) -> Chances:
    """Which face lies how many places behind which."""
    cards = CARDS[decks]
    ahead, behind = deals[:, :-lag], deals[:, lag:]
    counts = batched(ahead.astype(np.int32) * FACES + behind, FACES * FACES)
    different = ~np.eye(FACES, dtype=bool).ravel()
    places = cards - lag
    mean = places * decks * decks / (cards * (cards - 1))
    # Two such neighbourhoods of one deal share no card: none lies at both ends.
    apart = places * (places - 1) - 2 * (cards - 2 * lag)
    twice = apart * (decks * (decks - 1)) ** 2
    twice /= cards * (cards - 1) * (cards - 2) * (cards - 3)
    table = Table(
        counts[:, different], len(deals) // BATCHES, mean, mean + twice - mean * mean
    )
    equal = (ahead == behind).sum(axis=1).astype(float)
    return {
        f"faces {lag} apart": table.fit(),
        f"faces {lag} apart, worst": table.largest(),
        f"copies {lag} apart": of_mean(equal, places * (decks - 1) / (cards - 1)),
    }


def consecutive(deals: np.ndarray, decks: int) -> Chances:
    """Deals that follow each other: the same faces at the same places, and rising."""
    cards = CARDS[decks]
    # Pairs of deals that share none are independent.
    even = len(deals) // 2 * 2
    first, second = deals[0:even:2], deals[1:even:2]
    same = (first == second).sum(axis=1).astype(float)
    back = (first == second[:, ::-1]).sum(axis=1).astype(float)
    rising = (deals[:, 1:] > deals[:, :-1]).sum(axis=1).astype(float)
    different = 1 - (decks - 1) / (cards - 1)
    return {
        "next deal the same": of_mean(same, cards / FACES),
        "next deal backwards": of_mean(back, cards / FACES),
        "rising": of_mean(rising, (cards - 1) * different / 2),
    }
