// The failure of every request for a capture that does not exist.

export const captureNotFound = (id: string) => ({
  code: 'capture_not_found' as const,
  message: `There is no capture ${id}.`,
})
