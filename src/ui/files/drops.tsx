// Adds files dropped anywhere on the page to the queue, and shows an overlay while they are dragged.

import { signal } from '@preact/signals'
import { goTo } from '../address.ts'
import { strings } from '../strings/strings.ts'
import { addFiles } from './file-queue.ts'

const isOver = signal(false)

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

/** Call once. */
export function followDrops(): void {
  window.addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    isOver.value = true
  })
  window.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) isOver.value = false
  })
  window.addEventListener('drop', (event) => {
    isOver.value = false
    if (!holdsFiles(event) || event.defaultPrevented) return
    event.preventDefault()
    void filesOf(event.dataTransfer!).then((files) => {
      addFiles(files)
      goTo(['files'])
    })
  })
}

/**
 * Includes the files in folders. The DataTransfer is readable only during the event, so nothing is awaited before it is
 * read.
 */
async function filesOf(dropped: DataTransfer): Promise<File[]> {
  const files = [...dropped.files]
  const folders = [...dropped.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry): entry is FileSystemDirectoryEntry => entry?.isDirectory === true)
  const names = new Set(folders.map(({ name }) => name))
  const inFolders = await Promise.all(folders.map(filesIn))
  return [...files.filter(({ name, type }) => type !== '' || !names.has(name)), ...inFolders.flat()]
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader()
  const found: File[] = []
  for (;;) {
    // `readEntries` returns at most 100 entries per call.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0) return found
    const parts = entries.map((entry) =>
      entry.isDirectory
        ? filesIn(entry as FileSystemDirectoryEntry)
        : new Promise<File[]>((resolve, reject) =>
            (entry as FileSystemFileEntry).file((file) => resolve([file]), reject),
          ),
    )
    found.push(...(await Promise.all(parts)).flat())
  }
}

export const DropVeil = () =>
  isOver.value ? (
    <div class="dropveil" aria-hidden="true">
      <p>{strings.value.files.dropHere}</p>
    </div>
  ) : null
