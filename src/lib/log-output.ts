// Where the lines of the log go: each at once, and none is waited for. Whoever reads them may be slow, have stopped or have
// gone; the server hears on. What a line says is log.ts's.

/** Some ten thousand requests. Bytes are counted here: Bun's standard output does not tell them. */
const MOST_WAITING_BYTES = 1024 * 1024

export type LogOutput = {
  /** a whole line with its end; at once where the system takes it, so that it is there after a kill */
  write(line: string): void
}

export type LineStream = {
  /** `done` once it was written, or can never be */
  write(line: string, done: () => void): unknown
}

type Options = {
  /** so many lines are missing where the next one stands */
  onLost: (lines: number) => void
  mostWaitingBytes?: number
}

export type WaitedLog = LogOutput & {
  /** once nothing waits any more; it may never be where nobody reads */
  drained(): Promise<void>
}

export function createLogOutput(
  stream: LineStream,
  { onLost, mostWaitingBytes = MOST_WAITING_BYTES }: Options,
): WaitedLog {
  let waitingBytes = 0
  let lost = 0
  const onDrained: (() => void)[] = []

  const tellLost = (): void => {
    const lines = lost
    lost = 0
    if (lines > 0) onLost(lines)
  }
  const written = (bytes: number): void => {
    waitingBytes -= bytes
    if (waitingBytes > 0) return
    tellLost()
    for (const resolve of onDrained.splice(0)) resolve()
  }
  const hasRoom = (bytes: number): boolean => {
    // One gap and not many: a reader that began again has read half before anything is added.
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
      tellLost()
      waitingBytes += bytes
      stream.write(line, () => written(bytes))
    },
    drained: () => new Promise((resolve) => (waitingBytes === 0 ? resolve() : onDrained.push(resolve))),
  }
}
