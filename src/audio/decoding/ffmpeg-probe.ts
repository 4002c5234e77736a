// Reads a recording's tracks and their times with ffprobe.

import type { AudioTrack } from './audio-track.ts'
import type { FfmpegCore } from './ffmpeg-core.ts'

/** Times are seconds of the container's clock. */
export type Probed = {
  tracks: AudioTrack[]
  /** the first timestamp of any track */
  start: number
  /** null if there is no video */
  videoEnd: number | null
  /** as the container declares them; null selects the first track */
  timesOf(track: AudioTrack | null): { start: number; end: number | null }
}

/** ffprobe's output: numbers as strings, unknown values missing. */
type ProbedStream = {
  index: number
  codec_type?: string
  start_time?: string
  duration?: string
  disposition?: { default?: number; attached_pic?: number }
  tags?: { language?: string; title?: string }
}
type ProbedFile = { streams: ProbedStream[]; format: { start_time?: string; duration?: string } }

const PROBED = '/probed.json'
const ENTRIES = [
  'stream=index,codec_type,start_time,duration',
  'stream_disposition=default,attached_pic',
  'stream_tags=language,title',
  'format=start_time,duration',
].join(':')

/** @param input path at which the recording is mounted */
export function probe(ffmpeg: FfmpegCore, input: string): Probed {
  ffmpeg.setLogger(() => {})
  ffmpeg.ffprobe('-v', 'quiet', '-show_entries', ENTRIES, '-of', 'json', '-i', input, '-o', PROBED)
  const { streams, format } = readProbed(ffmpeg)
  const sounds = streams.filter(({ codec_type: type }) => type === 'audio')
  const start = secondsOf(format.start_time) ?? 0
  const duration = secondsOf(format.duration)
  return {
    tracks: sounds.map(trackOf),
    start,
    videoEnd: duration !== null && streams.some(isVideo) ? start + duration : null,
    timesOf(track) {
      const sound = sounds.find(({ index }) => index === track?.id) ?? sounds[0]
      const begin = secondsOf(sound?.start_time) ?? start
      const length = secondsOf(sound?.duration)
      return { start: begin, end: length === null ? null : begin + length }
    },
  }
}

/** Empty for a recording that FFmpeg cannot read. */
function readProbed({ FS }: FfmpegCore): ProbedFile {
  try {
    const { streams = [], format = {} } = JSON.parse(new TextDecoder().decode(FS.readFile(PROBED)))
    return { streams, format }
  } catch {
    return { streams: [], format: {} }
  }
}

const trackOf = ({ index, disposition, tags }: ProbedStream): AudioTrack => ({
  id: index,
  isDefault: disposition?.default === 1,
  language: tags?.language ?? null,
  title: tags?.title ?? null,
})

/** A cover image is a video stream, too, with one picture. */
const isVideo = ({ codec_type: type, disposition }: ProbedStream): boolean =>
  type === 'video' && disposition?.attached_pic !== 1

function secondsOf(text: string | undefined): number | null {
  const seconds = Number(text)
  return Number.isFinite(seconds) ? seconds : null
}
