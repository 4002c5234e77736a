import{ke,e,me}from"./main-svswgrbg.js";import{gt}from"./main-zrmywb0v.js";import{p}from"./main-nnet9shg.js";var Q=({href:o,onClick:r,...t})=>e("a",{...t,href:o,download:!0,onClick:(n)=>{if(r?.(),!ke())return;n.preventDefault(),p(async()=>gt(await me(o)))}});
export{Q};
