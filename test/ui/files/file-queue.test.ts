// The queue position of files that wait for the server.

import { afterEach, expect, test } from 'bun:test'
import { type FileState, fileQueue, placeOf, type QueuedFile } from '../../../src/ui/files/file-queue.ts'

afterEach(() => {
  fileQueue.value = []
})

const oneThat = (state: FileState, key: number): QueuedFile => ({
  key,
  file: new File([], `${key}.wav`),
  fields: {},
  state,
  progress: 0,
  isHopeless: false,
  captureId: null,
  text: '',
  fault: null,
  beganAt: null,
  tookMs: null,
})

test('a waiting file has the number of waiting files before it; finished and active ones do not count', () => {
  const states: FileState[] = ['completed', 'working', 'queued', 'failed', 'queued', 'sending', 'queued']
  fileQueue.value = states.map(oneThat)
  expect(placeOf(fileQueue.value[2]!)).toEqual({ place: '1', count: '3' })
  expect(placeOf(fileQueue.value[4]!)).toEqual({ place: '2', count: '3' })
  fileQueue.value = fileQueue.value.filter(({ key }) => key !== 2)
  expect(placeOf(fileQueue.value.at(-1)!)).toEqual({ place: '2', count: '2' })
})
