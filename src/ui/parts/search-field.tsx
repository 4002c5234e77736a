// A field that narrows what a view shows, while the user types.

type Props = {
  /** its name and its placeholder */
  label: string
  value: string
  onWords: (words: string) => void
}

export const SearchField = ({ label, value, onWords }: Props) => (
  <search>
    <input
      type="search"
      autocomplete="off"
      placeholder={label}
      aria-label={label}
      value={value}
      onInput={({ currentTarget }) => onWords(currentTarget.value)}
    />
  </search>
)
