// The output of a command. The result, or a line of JSON per event, goes to stdout; everything else goes to stderr:
// messages for the user and, on a terminal, the progress bar.

export type Report = {
  /** an event, for programs only */
  event(name: string, values: Record<string, unknown>): void
  /** progress by what is done and, if known, by the part of the next that is done; a repeated text is printed once */
  progress(at: { done: number; total: number; ofNext?: number; text: string }): void
  /** the reason for a wait: printed once, and on a terminal, in place of the bar, with the time so far */
  waiting(waiting: { what: string; soFar: string }): void
  /** a message that the user needs, such as a failure; ends the bar */
  say(sentence: string): void
  /** a message that --quiet omits, such as a summary; ends the bar */
  note(sentence: string): void
  /** a result, to stdout, as it is; ends the bar */
  result(text: string | Uint8Array): void
  /** a result as one JSON document with --json, otherwise as text */
  answer(value: unknown, text: () => string): void
}

export type ReportOptions = {
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** whether stdout is for events: always with --json, otherwise if it is not a terminal */
  hasEvents: boolean
  isJson: boolean
  isQuiet: boolean
  hasProgress: boolean
}

const BAR_WIDTH = 24

/** For a terminal that reports no width, or 0 as some do. */
const USUAL_COLUMNS = 80

export function createReport({
  stdout,
  stderr,
  hasEvents,
  isJson,
  isQuiet,
  hasProgress,
}: ReportOptions): Report {
  const isDrawn = stderr.isTTY === true && hasProgress && !isQuiet
  const areEventsWritten = hasEvents && (isJson || stdout.isTTY !== true)
  let shown = ''
  let waitingFor = ''
  const clear = () => {
    if (shown !== '') stderr.write('\r\x1b[K')
    shown = ''
  }
  const draw = (text: string) => {
    const line = text.slice(0, (stderr.columns || USUAL_COLUMNS) - 1)
    if (line === shown) return
    clear()
    stderr.write(line)
    shown = line
  }
  const say = (sentence: string) => {
    clear()
    stderr.write(`${sentence}\n`)
  }
  const result = (text: string | Uint8Array) => {
    clear()
    stdout.write(text)
  }
  return {
    event(name, values) {
      waitingFor = ''
      if (areEventsWritten) stdout.write(`${JSON.stringify({ event: name, ...values })}\n`)
    },
    progress({ done, total, ofNext = 0, text }) {
      waitingFor = ''
      if (!isDrawn) return
      draw(`${barOf(total === 0 ? 1 : (done + ofNext) / total)} ${done}/${total} ${text}`)
    },
    waiting({ what, soFar }) {
      if (isDrawn) draw(soFar)
      else if (what !== waitingFor && !isQuiet) stderr.write(`${what}\n`)
      waitingFor = what
    },
    say,
    note(sentence) {
      if (!isQuiet) say(sentence)
    },
    result,
    answer: (value, text) => result(isJson ? `${JSON.stringify(value, null, 2)}\n` : `${text()}\n`),
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
