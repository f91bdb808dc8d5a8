/** Completions for bash, zsh and fish: scripts that hold the whole tree, and ask the program for the names of agents only. */
import type { CommandEntry } from './tree.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** For single quotes, in which only they themselves mean something. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const pathOf = ({ path }: CommandEntry): string => path.join(' ');
const words = (all: readonly string[]): string => quoted(all.join(' '));

/** Flags whose value is one of a few, by command and flag. */
function choices(tree: readonly CommandEntry[]): { where: string; values: readonly string[] }[] {
  return tree.flatMap((entry) =>
    entry.flags
      .filter((flag) => flag.choices.length > 0)
      .map((flag) => ({ where: `${pathOf(entry)} ${flag.name}`, values: flag.choices })),
  );
}

function valueFlags(tree: readonly CommandEntry[]): string[] {
  const all = tree.flatMap(({ flags }) => flags.filter((flag) => flag.takesValue).map((flag) => flag.name));
  return [...new Set(all)];
}

/** The same walk in bash and zsh: which command the words so far lead to. */
function walk(tree: readonly CommandEntry[]): string {
  const known = tree.filter(({ path }) => path.length > 0).map((entry) => quoted(pathOf(entry)));
  return `  local place='' skip='' word
  for word in "\${before[@]}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${valueFlags(tree).join('|')}) skip=1; continue ;;
      -*) continue ;;
    esac
    case "\${place:+$place }$word" in
      ${known.join('|')}) place="\${place:+$place }$word" ;;
    esac
  done`;
}

function cases(tree: readonly CommandEntry[]): string {
  return `  local children='' flags='' values=''
  case $place in
${tree.map((entry) => `    ${quoted(pathOf(entry))}) children=${words(entry.children.map(({ name }) => name))}; flags=${words(entry.flags.map(({ name }) => name))} ;;`).join('\n')}
  esac
  case "$place $previous" in
${choices(tree)
  .map(({ where, values }) => `    ${quoted(where)}) values=${words(values)} ;;`)
  .join('\n')}
  esac`;
}

function bash(tree: readonly CommandEntry[]): string {
  return `# Completions of keepsake for bash. To use them, add to ~/.bashrc:  source <(keepsake completion bash)
_keepsake() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${walk(tree)}
${cases(tree)}
  COMPREPLY=()
  case $previous in
    --agent)
      local name
      while IFS= read -r name; do
        if [[ $name == "$current"* ]]; then COMPREPLY+=("$(printf '%q' "$name")"); fi
      done < <(keepsake agents --quiet 2>/dev/null)
      return ;;
    --workspace) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
  esac
  if [[ -n $values ]]; then mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current"); return; fi
  if [[ $current == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$current"); return; fi
  if [[ -n $children ]]; then mapfile -t COMPREPLY < <(compgen -W "$children" -- "$current"); return; fi
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -o filenames -F _keepsake keepsake
`;
}

function zsh(tree: readonly CommandEntry[]): string {
  return `#compdef keepsake
# Completions of keepsake for zsh. To use them, add to ~/.zshrc after compinit:  source <(keepsake completion zsh)
_keepsake() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
  local -a before=("\${(@)words[2,CURRENT-1]}")
${walk(tree)}
${cases(tree)}
  case $previous in
    --agent) compadd -- "\${(@f)$(keepsake agents --quiet 2>/dev/null)}"; return ;;
    --workspace) _files -/; return ;;
  esac
  if [[ -n $values ]]; then compadd -- \${=values}; return; fi
  if [[ $current == -* ]]; then compadd -- \${=flags}; return; fi
  if [[ -n $children ]]; then compadd -- \${=children}; return; fi
  _files
}
compdef _keepsake keepsake
`;
}

function fish(tree: readonly CommandEntry[]): string {
  const known = tree.filter(({ path }) => path.length > 0).map((entry) => quoted(pathOf(entry)));
  const lines = tree.flatMap((entry) => {
    const at = `-n ${quoted(`__keepsake_at ${quoted(pathOf(entry)).replaceAll("'", '"')}`)}`;
    return [
      ...entry.children.map(
        ({ name, summary }) => `complete -c keepsake -f ${at} -a ${quoted(name)} -d ${quoted(summary)}`,
      ),
      ...entry.flags.map(({ name, summary, takesValue, choices: values }) => {
        const given =
          name === '--agent'
            ? " -x -a '(keepsake agents --quiet 2>/dev/null)'"
            : values.length > 0
              ? ` -x -a ${words(values)}`
              : takesValue
                ? ' -r'
                : '';
        return `complete -c keepsake ${at} -l ${name.slice(2)}${given} -d ${quoted(summary)}`;
      }),
    ];
  });
  return `# Completions of keepsake for fish. To use them:  keepsake completion fish > ~/.config/fish/completions/keepsake.fish
function __keepsake_at
  set -l place
  set -l skip 0
  for word in (commandline -opc)[2..]
    if test $skip -eq 1
      set skip 0
      continue
    end
    switch $word
      case ${valueFlags(tree).join(' ')}
        set skip 1
      case '-*'
      case '*'
        contains -- "$(string join ' ' $place $word)" ${known.join(' ')}; and set place $place $word
    end
  end
  test "$(string join ' ' $place)" = "$argv[1]"
end
${lines.join('\n')}
`;
}

const WRITERS: Readonly<Record<Shell, (tree: readonly CommandEntry[]) => string>> = { bash, zsh, fish };

export function completionScript(shell: Shell, tree: readonly CommandEntry[]): string {
  return WRITERS[shell](tree);
}
