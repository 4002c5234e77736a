// A recording that is played without leaving the view: a button, and the place where it is.

import { useEffect, useRef, useState } from 'preact/hooks'
import { clockTime } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import { noteFault } from '../parts/toasts.tsx'
import { addressFor } from '../server/ticket.ts'
import { strings } from '../strings/strings.ts'

export const RecordingSound = ({ src, isPlaying = false }: { src: string; isPlaying?: boolean }) => {
  const [address, setAddress] = useState<string>()
  const [isOn, turn] = useState(false)
  const [seconds, advance] = useState(0)
  const audio = useRef<HTMLAudioElement>(null)
  useEffect(() => {
    let isWanted = true
    addressFor(src).then((opened) => isWanted && setAddress(opened), noteFault)
    return () => {
      isWanted = false
    }
  }, [src])
  const { record, captures } = strings.value
  const toggle = (): void => {
    if (isOn) audio.current?.pause()
    else audio.current?.play().catch(noteFault)
  }
  return (
    <span class="sound">
      <button type="button" onClick={toggle}>
        <Icon name={isOn ? 'pause' : 'play'} isFull />
        {isOn ? captures.pause : captures.play}
        {(isOn || seconds > 0) && <span class="muted">{clockTime(seconds)}</span>}
      </button>
      {/* biome-ignore lint/a11y/useMediaCaption: the view shows its text next to it, or the text is not known yet */}
      <audio
        ref={audio}
        preload="none"
        autoplay={isPlaying}
        src={address}
        aria-label={record.recording}
        onPlay={() => turn(true)}
        onPause={() => turn(false)}
        onTimeUpdate={({ currentTarget }) => advance(Math.floor(currentTarget.currentTime))}
      />
    </span>
  )
}
