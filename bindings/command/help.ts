// Makes what --help prints.

const common = `  --json           print JSON, of errors too
  --lang en|zh     the language of the sentences
  -h, --help       this text`;

const output = `  -o, --output F   the file to write: .npy or .safetensors; - is standard output, as .npy
  --force          overwrite it if it is there`;

const exit = `Exit codes: 0 done, or as expected; 1 a mistake; 2 not determined; 3 wrong usage, or a file that cannot be
read or written; 4 a fault of posenc itself.`;

const tensors = `A tensor is a file: NAME.npy, or NAME.npz:ARRAY and the same of .safetensors, .gguf and .onnx; or standard
input: -, -:ARRAY. Of files with more than 16 million values some tokens and heads are read, and the answer says so:
nothing is certain then.`;

const models = `A model is a config.json, or - for one from standard input, its folder with .safetensors files, or a
.gguf file (of several parts the first, beside the others). Of an .onnx or .safetensors file the caches, frequencies and
tables that it stores are looked at, beside the config.json in its folder or the one that is given. Where nothing is
found, or nothing can be compared, the exit code is 2.`;

export const help: { readonly [command: string]: string } = {
  "": `posenc: positional encodings, looked at and made

  posenc explain model                      what a model does with positions: a config, a folder, .gguf, .onnx
  posenc compare model other                what differs between two; what a conversion to GGUF lost
  posenc diagnose before.npy after.npy …    what was done to numbers, and which known mistake it is
  posenc fixtures config.json -o DIR        files to test a port with
  posenc table --dim 512 --length 2048 -o table.npy
  posenc cache config.json --length 4096 -o cache.safetensors
  posenc bias alibi --heads 8 --queries 64 --keys 64 -o bias.npy
  posenc frequencies config.json            frequencies, wavelengths and attention factor of a layer

posenc COMMAND --help tells more. --version prints the version.
${exit}`,

  explain: `posenc explain model [other] [--length N] [--for ENGINE] [--part PATH]

What a model does with positions: what goes wrong, what is unusual, what it does. With two as compare does.
${models}

  --length N       how many positions are to be read
  --for ENGINE     what to write so that an engine does what the model does, or why it cannot, as its source was read:
                   llama.cpp, vllm, sglang, transformers, transformers-4, mlx, onnx, candle; with --length for so many
                   tokens: rule, factor, error and the bytes of kept keys and values
  --part PATH      one part of a config of several, as "vision_config"; without it all are shown
${common}

  posenc explain ./Llama-3.1-8B
  posenc explain ./Qwen3-8B --for vllm --length 131072
  posenc explain Llama-3.1-8B-Q4_K_M.gguf --json`,

  compare: `posenc compare model other [--length N]

What two models do differently, and in which layers. Of a config and a .gguf file what the conversion lost: each difference
with the file's key, or the key that is missing; and whether the rows of W_q and W_k have the order that the layout needs,
if the folder of the config has the weights, and both files have them in types of 16 bits or more.
${models}

  --length N       how many positions are to be read
${common}

  posenc compare llama.json qwen.json --json
  posenc compare ./Llama-3.1-8B Llama-3.1-8B-F16.gguf
  posenc compare config.json model.onnx`,

  diagnose: `posenc diagnose before after --positions LIST [--expected config.json | --plan JSON]

Which rotation explains the numbers; beside what was expected, which mistake it is, and what mends it.
${tensors}

  --cache          cos and sin, or one file of both
  --table          a sinusoidal table, [positions, dim]
  --bias           a bias, [heads, queries, keys]
  --frequencies    frequencies, wavelengths or their reciprocals
  --ids            ids of tokens, [axes, tokens], with --segments
  --outputs        two implementations' outputs, and their input as a third file if it is there
  --positions L    numbers and ranges (0..7,100), or a tensor of them: [tokens] or [axes, tokens]
  --expected F     the model's config.json; --layer L, --layout NAME and --length N say what it leaves open; L is a
                   number, or layers as explain prints them: "sliding_attention", "0-4, 6"
  --plan JSON      what was meant, as diagnose of posenc/tools takes it
  --arithmetic A   of the angles that were meant: exact, transformers, ggml, float32, float16 or bfloat16
  --dtype T, --quantized Q   what the numbers were rounded to before they were stored: float32, float16 or bfloat16;
                   q8_0, fp8-e4m3 or fp8-e5m2
  --seq-axis N, --dim-axis N   where tokens and dimensions are, if that is known
  --first-query N  of a bias: the position of its first query
  --segments JSON  of ids: [{"text": 4}, {"image": [1, 8, 8]}]; also --merge-size N, --tokens-per-second N
${common}

  posenc diagnose q.npy q_rotated.npy --positions 0..7 --expected ./Llama-3.1-8B
  posenc diagnose dump.safetensors:q dump.safetensors:q_rot --positions=-2,0,5 --plan '{"dim": 128, "layout": "half"}'
  posenc diagnose --cache cos.npy sin.npy
  posenc diagnose --bias bias.npz:alibi --plan '{"type": "alibi"}'
${exit}`,

  fixtures: `posenc fixtures config.json -o DIR

Inputs, positions and outputs by which each known mistake fails under its own name, with tests for PyTorch, JAX, NumPy, C++
and JavaScript.

  -o, --output DIR the folder to write to
  --force          overwrite files that are there
  --length N       positions are below it
  --layout NAME    where the config does not say it
${common}

  posenc fixtures ./Llama-3.1-8B -o tests/rope`,

  table: `posenc table --dim N (--length N | --positions LIST) -o FILE

A sinusoidal table.

  --preset NAME    paper, tensor2tensor, whisper, diffusers, ggml or mlx
  --base N, --order NAME, --exponent NAME, --shift N, --scale N, --amplitude N, --padding-idx N
  --dtype NAME     float32, float16 or bfloat16 (the last in .safetensors)
${output}
${common}

  posenc table --dim 512 --length 2048 -o table.npy
  posenc table --preset whisper --dim 384 --length 1500 --dtype float16 -o whisper.safetensors`,

  cache: `posenc cache (config.json | --plan JSON) (--length N | --positions LIST) -o FILE

Cosines and sines of a rotation: tensors cos and sin, or in a .npy file one array, [2, positions, …], the cosines first.

  --layer L        of the model: the first that rotates by default; a number, or layers as explain prints them
  --form NAME      onnx (the default), huggingface, huggingface-interleaved, or ggml (one array, cosSin)
  --dtype NAME     float32, float16 or bfloat16 (the last in .safetensors)
${output}
${common}

  posenc cache ./Llama-3.1-8B --length 4096 --form huggingface -o cache.safetensors
  posenc cache --plan '{"dim": 64, "layout": "half", "base": 1e6}' --positions 0..99 -o cache.npy`,

  bias: `posenc bias (alibi | sandwich | kerple | config.json) --queries N --keys N -o FILE

A bias of the distance. Of kerple, whose parameters are learned, --options has them.

  --heads N, --slopes NAME, --steepness N, --distance NAME, --dim N
  --query-offset N the position of the first query
  --form NAME      full (the default) or compact
  --causal         keys after the query are masked
  --options JSON   any other options of the function
${output}
${common}

  posenc bias alibi --heads 8 --queries 64 --keys 64 --causal -o alibi.npy
  posenc bias ./bloom-560m --queries 64 --keys 64 -o bloom.npy
  posenc bias kerple --queries 8 --keys 8 --options '{"kernel": "power", "r1": [1, 2], "r2": [0.5, 1]}' -o kerple.npy`,

  frequencies: `posenc frequencies (config.json | --plan JSON) [-o FILE]

Inverse frequencies (radians a position), wavelengths (positions) and the attention factor of a layer's rotation, with its
scaling rule. A .npy file has the frequencies alone; none is printed as a table.

  --layer L        of the model: the first that rotates by default; a number, or layers as explain prints them
  --length N       how many positions are to be read, which some rules need
${output}
${common}

  posenc frequencies ./Llama-3.1-8B
  posenc frequencies ./gemma-3-4b-it --layer sliding_attention --json
  posenc frequencies --plan '{"dim": 128, "layout": "half", "base": 1e6}' -o frequencies.npy`,
};
