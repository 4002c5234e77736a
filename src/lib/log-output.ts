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
  /** lines that were not written, since more than enough waited for a reader; told when the others are read */
  onLost: (lines: number) => void
  mostWaitingBytes?: number
}

export function createLogOutput(
  stream: LineStream,
  { onLost, mostWaitingBytes = MOST_WAITING_BYTES }: Options,
): LogOutput {
  let waitingBytes = 0
  let lost = 0
  const written = (bytes: number): void => {
    waitingBytes -= bytes
    if (waitingBytes > 0 || lost === 0) return
    const lines = lost
    lost = 0
    onLost(lines)
  }
  return {
    write(line) {
      const bytes = Buffer.byteLength(line)
      if (waitingBytes + bytes > mostWaitingBytes) {
        lost += 1
        return
      }
      waitingBytes += bytes
      stream.write(line, () => written(bytes))
    },
  }
}
