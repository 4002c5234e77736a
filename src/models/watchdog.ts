// A signal that aborts after a period without `beat()`.

export type Watchdog = {
  /** aborts with the given signal, or after the silence */
  signal: AbortSignal
  /** restarts the timer */
  beat(): void
  stop(): void
}

export function createWatchdog(silenceMs: number, also: AbortSignal): Watchdog {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Error('silence')), silenceMs)
  return {
    signal: AbortSignal.any([also, silence.signal]),
    beat: () => void timer.refresh(),
    stop: () => clearTimeout(timer),
  }
}
