// Drains the body of a rejected request: many clients read the response only after sending everything, and would
// otherwise see EPIPE. Code that has begun to read a body decides for itself when to stop.

/** A client that sends more than this is disconnected, and may not receive the response. */
export const MAX_DRAINED_BYTES = 64 * 1024 ** 2

/** How long to wait for a stalled client. Over loopback the maximum above takes a tenth of this. */
const PATIENCE_MS = 2000

/** False for a body of unknown length, such as a live recording, which may not end soon. */
export function isWorthDraining(request: Request): boolean {
  const bytes = Number(request.headers.get('content-length') ?? 0)
  return bytes > 0 && bytes <= MAX_DRAINED_BYTES
}

/** Waits until the unread body of a rejected request has arrived, unless the body is too large or the client stalls. */
export async function drainBody(request: Request, response: Response): Promise<void> {
  if (response.headers.get('connection') !== 'close' || !isWorthDraining(request)) return
  if (request.body === null || request.bodyUsed || request.body.locked) return
  const reader = request.body.getReader()
  const arrived = async () => {
    while (!(await reader.read()).done);
  }
  // A client that has disconnected needs no response.
  await waitOrCancel(
    arrived().catch(() => {}),
    () => reader.cancel().catch(() => {}),
  )
}

/** Waits until a discarded body has arrived, and calls `cancel` if the client stalls. */
export async function waitOrCancel(arrived: Promise<void>, cancel: () => void): Promise<void> {
  const patience = setTimeout(cancel, PATIENCE_MS)
  await arrived
  clearTimeout(patience)
}
