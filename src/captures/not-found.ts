// The failure that every question about one capture may have: there is none of this id.
// Looking for it is the caller's.

export const captureNotFound = (id: string) => ({
  code: 'capture_not_found' as const,
  message: `There is no capture ${id}.`,
})
