// The words of the files view, in English.
// In German they are files-de.ts's.

export const filesEn = {
  add: 'Add recordings',
  dropOrChoose: 'Drop recordings or folders anywhere on this page, or',
  choose: 'Choose files',
  stays: 'Each is kept, and transcribed on this computer. You may leave this page once they are sent.',
  dropHere: 'Drop to have it transcribed',
  queue: 'Files',
  overOf: '{over} of {all} done',
  left: 'about {time} left',
  allDone: { one: '{n} file is done', other: '{n} files are done' },
  forget: 'Clear what is done',
  toCaptures: 'All captures',
  states: {
    waiting: 'Waits to be sent',
    sending: 'Being sent',
    queued: 'Waits for its turn',
    working: 'Being transcribed',
    completed: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  noSpeech: 'No speech found',
  unreadable: 'The browser cannot read this file.',
  progressOf: 'Progress of {name}',
  open: 'Open',
  openOf: 'Open {name}',
  cancel: 'Cancel',
  cancelOf: 'Cancel {name}',
  retry: 'Retry',
  retryOf: 'Retry {name}',
}
