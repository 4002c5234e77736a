// Where the built kernels lie.
// They are built by build.ts.

const fileBeside = (name: string) => Bun.fileURLToPath(new URL(name, import.meta.url))

/** The same kernels for plain SIMD, and for machines that have relaxed SIMD. */
export const MODULES = { simd128: fileBeside('./simd128.wasm'), relaxed: fileBeside('./relaxed.wasm') }
