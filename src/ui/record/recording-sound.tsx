import { useEffect, useState } from 'preact/hooks'
import { noteFault } from '../parts/toasts.tsx'
import { addressFor } from '../server/ticket.ts'
import { strings } from '../strings/strings.ts'

export const RecordingSound = ({ src, isPlaying = false }: { src: string; isPlaying?: boolean }) => {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    let isWanted = true
    addressFor(src).then((opened) => isWanted && setAddress(opened), noteFault)
    return () => {
      isWanted = false
    }
  }, [src])
  const { recording } = strings.value.record
  // biome-ignore lint/a11y/useMediaCaption: the view shows its text next to it, or the text is not known yet
  return <audio controls preload="none" autoplay={isPlaying} src={address} aria-label={recording} />
}
