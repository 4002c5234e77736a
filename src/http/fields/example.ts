// The capture that the examples of several resources share.

export const EXAMPLE_CAPTURE = {
  id: '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11',
  createdAt: '2026-01-31T12:00:00.000Z',
}
