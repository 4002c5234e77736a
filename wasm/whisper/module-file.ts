// Where the built kernels lie.
// They are built by build.ts.

export const MODULE_FILE = Bun.fileURLToPath(new URL('./kernels.wasm', import.meta.url))
