// Non-blocking log sink: a slow, stopped or closed reader never blocks the server.

/** Some ten thousand requests. Counted here because Bun's standard output does not report its buffered bytes. */
const MOST_WAITING_BYTES = 1024 * 1024

export type LogOutput = {
  /** a whole line with its line break; written at once if the system accepts it, so that it survives a kill */
  write(line: string): void
}

export type LineStream = {
  /** calls `done` once the line was written or can never be */
  write(line: string, done: () => void): unknown
}

type Options = {
  /** called before the next line is written; `lines` were dropped in between */
  onLost: (lines: number) => void
  mostWaitingBytes?: number
}

export type WaitedLog = LogOutput & {
  /** resolves when no line is waiting; never, if nothing reads the log */
  drained(): Promise<void>
}

export function createLogOutput(
  stream: LineStream,
  { onLost, mostWaitingBytes = MOST_WAITING_BYTES }: Options,
): WaitedLog {
  let waitingBytes = 0
  let lost = 0
  const onDrained: (() => void)[] = []

  const reportLost = (): void => {
    const lines = lost
    lost = 0
    if (lines > 0) onLost(lines)
  }
  const written = (bytes: number): void => {
    waitingBytes -= bytes
    if (waitingBytes > 0) return
    reportLost()
    for (const resolve of onDrained.splice(0)) resolve()
  }
  const hasRoom = (bytes: number): boolean => {
    // One gap instead of many: after a loss, accept lines again only when the reader has taken half of the buffer.
    if (lost > 0) return waitingBytes <= mostWaitingBytes / 2
    return waitingBytes === 0 || waitingBytes + bytes <= mostWaitingBytes
  }
  return {
    write(line) {
      const bytes = Buffer.byteLength(line)
      if (!hasRoom(bytes)) {
        lost += 1
        return
      }
      reportLost()
      waitingBytes += bytes
      stream.write(line, () => written(bytes))
    },
    drained: () => new Promise((resolve) => (waitingBytes === 0 ? resolve() : onDrained.push(resolve))),
  }
}
