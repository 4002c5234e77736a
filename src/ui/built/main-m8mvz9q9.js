import{_e,e,me}from"./main-yah90v3r.js";import{gt}from"./main-7mszcphy.js";import{p}from"./main-kavzj2n4.js";var J=({href:o,onClick:r,...t})=>e("a",{...t,href:o,download:!0,onClick:(n)=>{if(r?.(),!_e())return;n.preventDefault(),p(async()=>gt(await me(o)))}});
export{J};
