import{o,s}from"./main-jmrtwb2f.js";var c=200;function se(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{se};
