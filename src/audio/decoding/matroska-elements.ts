// Element ids and other constants of WebM and Matroska (RFC 9559).

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

/** Elements that are entered: their children are read as if they were siblings. */
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

/** Nanoseconds per tick if a file does not declare it. */
export const DEFAULT_TIMESTAMP_SCALE = 1_000_000

/** How a block stores its frame sizes, by the two lacing bits of its flags. */
export const LACINGS = ['none', 'xiph', 'fixed', 'ebml'] as const
