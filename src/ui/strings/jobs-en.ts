// The words of the jobs view, in English.
// In German they are jobs-de.ts's.

export const jobsEn = {
  idle: 'Nothing is being worked on, and nothing waits.',
  active: 'Being worked on',
  waiting: 'Waiting',
  moreWait: { one: 'and {n} more', other: 'and {n} more' },
  failed: 'Failed lately',
  kinds: { transcribe: 'Transcribing', retranscribe: 'Transcribing again', refine: 'Cleaning up' },
  attempts: 'try number {n}',
  cancel: 'Cancel',
  canceled: 'The job was cancelled; the recording and its earlier text stay.',
  downloads: 'Downloads',
  toModels: 'To the models',
  batches: 'Many at once',
  batchKinds: { retranscribe: 'Transcribing again', delete: 'Deleting' },
  batchStates: { running: 'Running', completed: 'Done', canceled: 'Cancelled' },
  batchCanceled: 'The rest was cancelled; what is done stays done.',
  cancelRest: 'Cancel the rest',
  completed: '{n} of {total} done',
  failedCount: '{n} failed',
  skipped: '{n} needed nothing',
  canceledCount: '{n} cancelled',
  left: '{time} left',
  errors: 'What failed',
}
