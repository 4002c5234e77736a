// The built kernels.

export const MODULE_FILE = Bun.fileURLToPath(new URL('./kernels.wasm', import.meta.url))
