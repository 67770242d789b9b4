"""Speed, as ratios against a peer in the same run: these machines are noisy."""
