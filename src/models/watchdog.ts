// Ends what has gone silent: a signal that fires when nobody has said for a while that things go on.
// Knows nothing of what it watches.

export type Watchdog = {
  /** fires with the given signal, or after the silence */
  signal: AbortSignal
  /** things go on */
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
