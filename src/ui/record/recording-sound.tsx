// A recording to listen to.
// What plays it is the browser's own.

import { strings } from '../strings/strings.ts'

export const RecordingSound = ({ src, isPlaying = false }: { src: string; isPlaying?: boolean }) => (
  // biome-ignore lint/a11y/useMediaCaption: its text is what the view shows beside it, or what is not known yet
  <audio controls preload="none" autoplay={isPlaying} src={src} aria-label={strings.value.record.recording} />
)
