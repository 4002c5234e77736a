// How the user wants the GPU to be used.

/** `auto`: for models that gain from it and pass the trial; `on`: also for small models, and even if it is not faster. */
export const GPU_CHOICES = ['off', 'auto', 'on'] as const

export type GpuRequest = {
  use: (typeof GPU_CHOICES)[number]
  /** where its library and the results of trials are (dawn-package.ts, trials.ts) */
  folder: string
}
