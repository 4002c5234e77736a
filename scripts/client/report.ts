// The progress output of a script: a bar on a terminal, otherwise a JSON line per event. Messages for users go to
// stderr, so that programs can read stdout, which may be reserved for the result.

export type Report = {
  /** an event, for programs only */
  event(name: string, values: Record<string, unknown>): void
  /** progress by what is done and, if known, by the part of the next that is done; a repeated text is printed once */
  progress(at: { done: number; total: number; ofNext?: number; text: string }): void
  /** the reason for a wait: printed once, and on a terminal, in place of the bar, with the time so far */
  waiting(waiting: { what: string; soFar: string }): void
  /** a message for the user; ends the bar */
  say(sentence: string): void
  /** a result, to stdout; ends the bar */
  result(text: string): void
}

const BAR_WIDTH = 24

/** For a terminal that reports no width, or 0 as some do. */
const USUAL_COLUMNS = 80

/**
 * @param output where the bar is drawn, or events are written
 * @param results for a script with a result: the result goes there, and no events are written
 */
export function createReport(
  output: NodeJS.WriteStream,
  messages: NodeJS.WriteStream,
  results: NodeJS.WriteStream | null = null,
): Report {
  let shown = ''
  let waitingFor = ''
  const clear = () => {
    if (shown !== '') output.write('\r\x1b[K')
    shown = ''
  }
  const draw = (text: string) => {
    const line = text.slice(0, (output.columns || USUAL_COLUMNS) - 1)
    if (line === shown) return
    clear()
    output.write(line)
    shown = line
  }
  return {
    event(name, values) {
      waitingFor = ''
      if (!output.isTTY && results === null) output.write(`${JSON.stringify({ event: name, ...values })}\n`)
    },
    progress({ done, total, ofNext = 0, text }) {
      waitingFor = ''
      if (!output.isTTY) return
      draw(`${barOf(total === 0 ? 1 : (done + ofNext) / total)} ${done}/${total} ${text}`)
    },
    waiting({ what, soFar }) {
      if (output.isTTY) draw(soFar)
      else if (what !== waitingFor) messages.write(`${what}\n`)
      waitingFor = what
    },
    say(sentence) {
      clear()
      messages.write(`${sentence}\n`)
    },
    result(text) {
      clear()
      results?.write(text)
    },
  }
}

function barOf(fraction: number): string {
  const full = Math.round(Math.min(Math.max(fraction, 0), 1) * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`
}

/** 75 → "1:15", 4000 → "1:06:40" */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** 2_140_000 → "2.1 MB/s", 64_000 → "64 kB/s" */
export const speedOf = (bytesPerSecond: number): string =>
  bytesPerSecond < 1_000_000
    ? `${Math.round(bytesPerSecond / 1000)} kB/s`
    : `${(bytesPerSecond / 1_000_000).toFixed(1)} MB/s`
