import type { Verb } from "../spec.ts";

/**
 * Completion script of each shell. It runs `tessera __complete`, which prints the words that match, one per line, each
 * with its meaning after a tab.
 */
export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# tessera completion bash; in ~/.bashrc: source <(tessera completion bash)
_tessera() {
  local IFS=$'\\n' part value last=-1 i quote= words=() rest="\${COMP_LINE:0:COMP_POINT}"
  # A colon ends a word of bash, though it is part of many names: what no space parts is one word.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    part="\${COMP_WORDS[i]}"
    if [[ $last -ge 0 && -n $part && $rest != [[:space:]]* ]]; then words[last]+="$part"
    else last=$((last + 1)); words[last]="$part"; fi
    rest="\${rest#"\${rest%%[![:space:]]*}"}"
    rest="\${rest#"$part"}"
  done
  for ((i = 0; i <= last; i++)); do
    case "\${words[i]}" in
      [\\"\\']*) quote=1; words[i]="\${words[i]:1}"; ((i < last)) && words[i]="\${words[i]%?}" ;;
      *) quote=; words[i]="\${words[i]//\\\\/}" ;;
    esac
  done
  local before=
  case "$COMP_WORDBREAKS" in *:*) before="\${words[last]%"\${words[last]##*:}"}" ;; esac
  COMPREPLY=()
  while IFS= read -r value; do
    [ "$value" = ":files" ] && { compopt -o default; COMPREPLY=(); return; }
    value="\${value%%$'\\t'*}"
    value="\${value#"$before"}"
    [ -n "$value" ] || continue
    [ -n "$quote" ] || value="$(printf %q "$value")"
    COMPREPLY+=("$value")
  done < <(tessera __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _tessera tessera
`,
  zsh: `#compdef tessera
# tessera completion zsh; in ~/.zshrc, behind compinit: source <(tessera completion zsh)
_tessera() {
  local line value; local -a found
  for line in "\${(@f)$(tessera __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ $line == ":files" ]] && { _files; return }
    value="\${line%%$'\\t'*}"
    [[ -n $value ]] || continue
    if [[ $line == *$'\\t'* ]]; then found+=("\${value//:/\\\\:}:\${line#*$'\\t'}"); else found+=("\${value//:/\\\\:}"); fi
  done
  (( $#found )) && _describe tessera found
}
# As a file of fpath it is the function itself, which is loaded when it is first wanted.
if [[ $funcstack[1] == _tessera ]]; then _tessera "$@"; else compdef _tessera tessera; fi
`,
  fish: `# tessera completion fish; in ~/.config/fish/config.fish: tessera completion fish | source
function __tessera_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (tessera __complete -- $words[2..-1] 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c tessera -f -a "(__tessera_complete)"
`,
};

export const verb: Verb = {
  name: "completion",
  summary: "Print the completion script for bash, zsh or fish.",
  description:
    "Object names are read from the server and cached for 30 seconds. Object names are not completed when the server is unreachable.",
  operations: [],
  args: [{ name: "shell", help: "bash, zsh or fish." }],
  examples: ["source <(tessera completion bash)", "tessera completion fish | source"],
  async run(call) {
    const shell = call.arg("shell");
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script !== undefined) return call.out.text(script);
    const { usage } = await import("../exit.ts");
    throw usage(`unsupported shell ${JSON.stringify(shell)}: use ${Object.keys(SCRIPTS).join(", ")}`);
  },
};
