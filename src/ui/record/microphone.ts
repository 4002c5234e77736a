// A microphone that is open: its samples as they come, at the rate of the device, and what becomes of it when it is
// unplugged. When it is opened and released is recorder.ts's.

export type MicrophoneFault = 'denied' | 'none' | 'lost' | 'insecure' | 'busy' | 'unsupported'

export class MicrophoneError extends Error {
  constructor(
    readonly fault: MicrophoneFault,
    options: ErrorOptions = {},
  ) {
    super(fault, options)
  }
}

export type Microphone = {
  /** samples in a second */
  rate: number
  /** the chosen one was not there, and this is the one that the system takes */
  isAnother: boolean
  /** the browser lets sound through only after somebody did something on the page */
  wake(): void
  close(): void
}

type Opening = {
  /** '' is the one that the system takes */
  deviceId: string
  onSamples: (samples: Int16Array) => void
  /** it is gone, and another has taken its place */
  onReplaced: () => void
  /** it is gone, and there is no other */
  onLost: () => void
}

/** @throws MicrophoneError */
export async function openMicrophone({
  deviceId,
  onSamples,
  onReplaced,
  onLost,
}: Opening): Promise<Microphone> {
  if (!isSecureContext) throw new MicrophoneError('insecure')
  if (!navigator.mediaDevices || !('AudioWorkletNode' in globalThis)) throw new MicrophoneError('unsupported')
  let { stream, isAnother } = await streamOf(deviceId)
  const context = new AudioContext({ latencyHint: 'interactive' })
  const close = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  try {
    await context.audioWorklet.addModule('/page/worklet.js')
  } catch (cause) {
    close()
    throw new MicrophoneError('unsupported', { cause })
  }
  const tap = new AudioWorkletNode(context, 'sample-tap', { channelCount: 1, channelCountMode: 'explicit' })
  tap.port.onmessage = ({ data }: MessageEvent<Int16Array>) => onSamples(data)
  // It plays silence: what leads nowhere is not asked for samples by every browser.
  tap.connect(context.destination)

  const attach = () => {
    const source = context.createMediaStreamSource(stream)
    source.connect(tap)
    stream.getAudioTracks()[0]?.addEventListener('ended', async () => {
      source.disconnect()
      try {
        ;({ stream } = await streamOf(''))
        attach()
        onReplaced()
      } catch {
        onLost()
      }
    })
  }
  attach()
  const wake = () => {
    if (context.state === 'suspended') void context.resume()
  }
  wake()
  return { rate: context.sampleRate, isAnother, wake, close }
}

/** Noise and level are the server's business: what a browser filters out for a call also takes away words. */
const AS_IT_IS = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false }

async function streamOf(deviceId: string): Promise<{ stream: MediaStream; isAnother: boolean }> {
  const open = (chosen: MediaTrackConstraints) =>
    navigator.mediaDevices.getUserMedia({ audio: { ...AS_IT_IS, ...chosen } })
  try {
    if (deviceId === '') return { stream: await open({}), isAnother: false }
    try {
      return { stream: await open({ deviceId: { exact: deviceId } }), isAnother: false }
    } catch (error) {
      if (faultOf(error) !== 'none') throw error
      return { stream: await open({}), isAnother: true }
    }
  } catch (cause) {
    throw new MicrophoneError(faultOf(cause), { cause })
  }
}

/** By the names that the standard gives to what getUserMedia refuses with. */
function faultOf(error: unknown): MicrophoneFault {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  return 'unsupported'
}

/** Nameless until the browser was allowed to use one. */
export async function listMicrophones(): Promise<MediaDeviceInfo[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? []
  return devices.filter(
    ({ kind, deviceId, label }) => kind === 'audioinput' && deviceId !== '' && label !== '',
  )
}
