// How the user wants the GPU to be used: the setting `engine`.

/** `auto`: for models that gain from it and pass the trial; `gpu`: also for small models, and even if it is not faster. */
export const COMPUTE_CHOICES = ['cpu', 'auto', 'gpu'] as const

export type ComputeChoice = (typeof COMPUTE_CHOICES)[number]

export type GpuRequest = {
  use: ComputeChoice
  /** where its library and the results of trials are (dawn-package.ts, trials.ts) */
  folder: string
}
