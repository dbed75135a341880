import type { Verb } from "../spec.ts";

/** What each shell is given: it asks `tessera __complete` for the words that fit, one a line, each with its meaning behind a tab. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# tessera completion bash; in ~/.bashrc: source <(tessera completion bash)
_tessera() {
  local IFS=$'\\n' line words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  while IFS= read -r line; do
    [ "$line" = ":files" ] && { compopt -o default; COMPREPLY=(); return; }
    line="\${line%%$'\\t'*}"
    [ -n "$line" ] && COMPREPLY+=("$(printf %q "$line")")
  done < <(tessera __complete -- "\${words[@]}" 2>/dev/null)
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
compdef _tessera tessera
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
  summary: "The completion script for bash, zsh or fish.",
  description:
    "Prints the completion script for a shell. Names of objects come from the server, for 30 seconds each; when it is away, none do.",
  operations: [],
  args: [{ name: "shell", help: "bash, zsh or fish." }],
  examples: ["source <(tessera completion bash)", "tessera completion fish | source"],
  async run(call) {
    const shell = call.arg("shell");
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script !== undefined) return call.out.text(script);
    const { usage } = await import("../exit.ts");
    throw usage(`there is no completion for ${JSON.stringify(shell)}; there is for ${Object.keys(SCRIPTS).join(", ")}`);
  },
};
