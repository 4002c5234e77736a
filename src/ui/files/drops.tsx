// Files that are dropped anywhere on the page go into the queue; a veil says so while they hang over it.
// The queue is file-queue.ts's.

import { signal } from '@preact/signals'
import { goTo } from '../address.ts'
import { strings } from '../strings/strings.ts'
import { addFiles } from './file-queue.ts'

const isOver = signal(false)

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

/** To be called once, by the page. */
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

/** Also those in folders. What was dropped can be read in this very moment alone, so nothing is waited for before. */
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
    // A hundred at a time.
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
