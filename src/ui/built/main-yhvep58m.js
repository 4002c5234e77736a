import{o,s}from"./main-cg77ygpc.js";var c=200;function V(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{V};
