import path from 'node:path'

/** A table in Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(lineOf).join('\n')
}

function lineOf(cells: readonly string[]): string {
  return cells.every((cell) => cell === '---') ? `|${cells.join('|')}|` : `| ${cells.map(escaped).join(' | ')} |`
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|')
}

/** A text with the paths of other documents as links from a page. */
export function linked(text: string, page: string): string {
  return text.replaceAll(/docs\/[\w/-]+\.md(#[\w-]+)?/g, (target) => {
    const link = path.posix.relative(path.posix.dirname(page), target)
    return `[${path.posix.basename(target).replace(/#.*/, '')}](${link})`
  })
}

/** Names of code, separated by commas. */
export function codeList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
