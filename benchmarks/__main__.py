"""Run every benchmark and print its figures: `make bench`."""

from benchmarks import (
    bench_commands,
    bench_disguise,
    bench_import,
    bench_inversion,
    bench_reconstruct,
    bench_release,
    bench_trees,
)

for module in (
    bench_import,
    bench_disguise,
    bench_reconstruct,
    bench_trees,
    bench_inversion,
    bench_release,
    bench_commands,
):
    for result in module.run():
        print(result, flush=True)
