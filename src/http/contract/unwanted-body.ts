// Lets a client that is refused finish sending: many only listen when they are done, and would hear of nothing but a
// broken pipe. What is sent is thrown away; whoever has begun to read a body says himself when it is enough.

/** A client with more than this to send is cut off, and may hear why or not. */
export const MAX_UNWANTED_BYTES = 64 * 1024 ** 2

/** For a client that stalls; over loopback all of the above takes a tenth of it. */
const PATIENCE_MS = 2000

/** False for what is still being made, of which nobody knows when it ends. */
export function isWorthHearing(request: Request): boolean {
  const bytes = Number(request.headers.get('content-length') ?? 0)
  return bytes > 0 && bytes <= MAX_UNWANTED_BYTES
}

/** Returns when the body of a request that is answered without having been read has arrived, or is not worth the wait. */
export async function hearOut(request: Request, response: Response): Promise<void> {
  if (response.headers.get('connection') !== 'close' || !isWorthHearing(request)) return
  if (request.body === null || request.bodyUsed || request.body.locked) return
  const reader = request.body.getReader()
  const arrived = async () => {
    while (!(await reader.read()).done);
  }
  // Who has gone hears nothing.
  await patiently(
    arrived().catch(() => {}),
    () => reader.cancel().catch(() => {}),
  )
}

/** Waits for what is thrown away as it arrives, and cuts it off when its sender stalls. */
export async function patiently(arrived: Promise<void>, cutOff: () => void): Promise<void> {
  const patience = setTimeout(cutOff, PATIENCE_MS)
  await arrived
  clearTimeout(patience)
}
