// A child process that misbehaves on request.

import { sendHeartbeats, serveParent } from '../../src/supervisor/serve-parent.ts'

export type Fixture = {
  request: 'pid' | 'pid after a second' | 'wait' | 'until stopped' | 'loop' | 'exit' | 'throw' | 'count'
  event: 'begun'
  answer: number
}

let count = 0

sendHeartbeats(100)
serveParent<Fixture['request'], Fixture['event'], Fixture['answer']>({
  async answer(request, { signal, emit }) {
    emit('begun')
    if (request === 'exit') process.exit(7)
    if (request === 'throw') throw new Error('on request')
    if (request === 'loop') for (;;);
    if (request === 'wait') await new Promise(() => {})
    if (request === 'pid after a second') await Bun.sleep(1000)
    if (request === 'until stopped')
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    return request === 'count' ? count : process.pid
  },
  tidy(request) {
    if (request === 'pid') count += 1
  },
})
