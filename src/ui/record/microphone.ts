// An open microphone: delivers samples at the device's rate and handles unplugging.

export type MicrophoneFault = 'denied' | 'none' | 'lost' | 'insecure' | 'busy' | 'unsupported'

export class MicrophoneError extends Error {
  constructor(
    readonly fault: MicrophoneFault,
    options: ErrorOptions = {},
  ) {
    super(fault, options)
  }
}

export type PageMicrophone = {
  /** samples per second */
  rate: number
  /** the chosen one was unavailable, so this is the system default */
  isAnother: boolean
  /** resumes the AudioContext: browsers deliver samples only after a user gesture */
  wake(): void
  close(): void
}

type Opening = {
  /** '' for the system default */
  deviceId: string
  onSamples: (samples: Int16Array) => void
  /** the device is gone and another has replaced it */
  onReplaced: () => void
  /** the device is gone and there is no other */
  onLost: () => void
}

/** @throws MicrophoneError */
export async function openMicrophone({
  deviceId,
  onSamples,
  onReplaced,
  onLost,
}: Opening): Promise<PageMicrophone> {
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
  // Outputs silence: some browsers do not run a node that is not connected to the destination.
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

/** The server handles noise and level: the filters that browsers apply for calls also remove words. */
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

/** By the DOMException names that the standard defines for getUserMedia. */
function faultOf(error: unknown): MicrophoneFault {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  return 'unsupported'
}

/** Names are empty until the user allows a microphone. */
export async function listMicrophones(): Promise<MediaDeviceInfo[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? []
  return devices.filter(
    ({ kind, deviceId, label }) => kind === 'audioinput' && deviceId !== '' && label !== '',
  )
}
