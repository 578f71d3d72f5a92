"""The rules once more, slow and obvious: what the kernels are held against.

Written from the rules page in plain Python and nothing but the standard library. It
imports no other module of this project, so that a mistake made there cannot be made
here by copying. Cards are their text ("ST", "LJ") all the way through.

cards       text, effective suits, the order of the cards
components  reading cards as singles, pairs, tractors
follow      what a follower owes
throw       whether a throw stands
trick       who wins, and how many points lie there
score       multiplier, level table, levels after, next declarer
calls       bids, overcalls, reinforcements
auction     the calls of the variant that has one
reading     JSON as strangers write it
schema      the keys and types of a deal record
replay      a deal record from the first card to the last number
census      what kinds of events a record contains
"""
