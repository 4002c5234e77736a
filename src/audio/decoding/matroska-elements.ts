// The names of what WebM and Matroska are made of (RFC 9559), and what stands within what.
// Reads nothing: files are matroska.ts, what is still being recorded opus-stream/webm-demuxer.ts.

export const MATROSKA_ID = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  cluster: 0x1f43b675,
  clusterTimestamp: 0xe7,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80,
  codecDelay: 0x56aa,
  flagDefault: 0x88,
  trackName: 0x536e,
  language: 0x22b59c,
  languageTag: 0x22b59d,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  bitDepth: 0x6264,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const

/** Elements whose children are walked as if they stood beside them. */
export const OPENED = new Set<number>([
  MATROSKA_ID.segment,
  MATROSKA_ID.info,
  MATROSKA_ID.cluster,
  MATROSKA_ID.tracks,
  MATROSKA_ID.trackEntry,
  MATROSKA_ID.audio,
  MATROSKA_ID.blockGroup,
])

export const TRACK_VIDEO = 1
export const TRACK_AUDIO = 2

/** Of timestamps, in nanoseconds, where a file says nothing else. */
export const DEFAULT_TIMESTAMP_SCALE = 1_000_000

/** How the frames of a block say where they end, by the two bits of its flags. */
export const LACINGS = ['none', 'xiph', 'fixed', 'ebml'] as const
