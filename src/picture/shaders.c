// SPDX-License-Identifier: MIT

#include "picture/gl_api.h"
#include "picture/stage_internal.h"

#include <string.h>

const char sup_surfaceShaderPart[] = "uniform vec4 uBaseColor;\n"
                                     "uniform sampler2D uImage;\n"
                                     "uniform bool uHasImage;\n"
                                     "uniform float uCutoff;\n" // above 0 for alpha mode mask
                                     "vec4 surfaceColor( vec2 texcoord, vec4 color )\n"
                                     "{\n"
                                     "    vec4 base = uBaseColor * color;\n"
                                     "    return uHasImage ? base * texture( uImage, texcoord ) : base;\n"
                                     "}\n";

const char sup_skinVertexShader[] = "layout( location = 0 ) in vec3 aPosition;\n"
                                    "layout( location = 1 ) in vec3 aNormal;\n"
                                    "layout( location = 2 ) in vec2 aTexcoord;\n"
                                    "layout( location = 3 ) in vec4 aColor;\n"
                                    "layout( location = 4 ) in vec4 aPaint;\n"
                                    "uniform mat4 uViewProjection;\n"
                                    "uniform vec3 uOffset;\n"
                                    "out vec3 vPosition;\n"
                                    "out vec3 vNormal;\n"
                                    "out vec2 vTexcoord;\n"
                                    "out vec4 vColor;\n"
                                    "out vec4 vPaint;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    vPosition = aPosition + uOffset;\n"
                                    "    vNormal = aNormal;\n"
                                    "    vTexcoord = aTexcoord;\n"
                                    "    vColor = aColor;\n"
                                    "    vPaint = aPaint;\n"
                                    "    gl_Position = uViewProjection * vec4( vPosition, 1.0 );\n"
                                    "}\n";

// A warm key from above and beside the camera, a cool fill from the other side, a rim from behind, and a sky that is
// lighter than the floor. Highlights are the key's alone: Walter, Marschner, Li, Torrance, "Microfacet models for
// refraction through rough surfaces", 2007, with Schlick's Fresnel term. Below 0.8 colours are left as they are; above,
// they bend towards white instead of being cut off.
const char sup_skinFragmentShader[] =
    "in vec3 vPosition;\n"
    "in vec3 vNormal;\n"
    "in vec2 vTexcoord;\n"
    "in vec4 vColor;\n"
    "in vec4 vPaint;\n"
    "uniform vec3 uEye;\n"
    "uniform vec3 uBack;\n" // towards the camera, for parallel projection
    "uniform bool uParallel;\n"
    "uniform vec3 uUp;\n"
    "uniform vec3 uKey;\n"
    "uniform vec3 uFill;\n"
    "uniform vec3 uRim;\n"
    "uniform float uRoughness;\n"
    "uniform float uMetallic;\n"
    "uniform vec3 uEmissive;\n"
    "uniform bool uUnlit;\n"
    "uniform bool uMask;\n"
    "uniform bool uOpaque;\n"
    "uniform float uPaintShare;\n"
    "out vec4 oColor;\n"
    "vec3 highlight( vec3 N, vec3 V, vec3 L, float NL, vec3 F0, float a2 )\n"
    "{\n"
    "    vec3 H = normalize( V + L );\n"
    "    float NH = max( dot( N, H ), 0.0 ), NV = max( dot( N, V ), 1e-3 ), dark = 1.0 - max( dot( V, H ), 0.0 );\n"
    "    float d = NH * NH * ( a2 - 1.0 ) + 1.0, dark2 = dark * dark;\n"
    "    float D = a2 / ( 3.14159265 * d * d );\n"
    "    float G = 0.5 / ( NL * sqrt( NV * NV * ( 1.0 - a2 ) + a2 ) + NV * sqrt( NL * NL * ( 1.0 - a2 ) + a2 ) );\n"
    "    return D * G * 0.5 * ( F0 + ( 1.0 - F0 ) * ( dark2 * dark2 * dark ) );\n"
    "}\n"
    "vec3 shoulder( vec3 c )\n"
    "{\n"
    "    vec3 high = 0.8 + 0.2 * tanh( ( c - 0.8 ) / 0.2 );\n"
    "    return mix( c, high, step( vec3( 0.8 ), c ) );\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    vec4 base = surfaceColor( vTexcoord, vColor );\n"
    "    base = mix( base, vec4( vPaint.rgb, 1.0 ), vPaint.a * uPaintShare );\n"
    "    if ( uMask )\n" // the border is spread over a pixel and handed to the samples
    "        base.a = clamp( ( base.a - uCutoff ) / max( fwidth( base.a ), 1e-4 ) + 0.5, 0.0, 1.0 );\n"
    "    if ( uMask && base.a <= 0.0 ) discard;\n"
    "    if ( uOpaque ) base.a = 1.0;\n"
    "    float cover = uMask ? 1.0 : base.a;\n" // everything is premultiplied but what the samples' mask thins out
    "    if ( uUnlit ) { oColor = vec4( min( base.rgb, vec3( 1.0 ) ) * cover, base.a ); return; }\n"
    "    vec3 V = uParallel ? uBack : normalize( uEye - vPosition );\n"
    "    float size = length( vNormal );\n"
    "    vec3 N = size > 0.0 ? vNormal / size : V;\n"
    "    if ( gl_FrontFacing == false ) N = -N;\n"
    "    float rough = clamp( uRoughness, 0.25, 1.0 );\n"
    "    float a2 = rough * rough * rough * rough;\n"
    "    vec3 F0 = mix( vec3( 0.04 ), base.rgb, uMetallic );\n"
    "    vec3 diffuse = base.rgb * ( 1.0 - 0.7 * uMetallic );\n"
    "    vec3 sky = mix( vec3( 0.21, 0.20, 0.195 ), vec3( 0.42, 0.44, 0.475 ), 0.5 + 0.5 * dot( N, uUp ) );\n"
    "    vec3 mirrored = mix( vec3( 0.2 ), vec3( 0.85 ), smoothstep( -0.3, 0.6, dot( reflect( -V, N ), uUp ) ) );\n"
    "    vec3 c = diffuse * sky + F0 * mirrored * ( 0.25 + 0.75 * uMetallic );\n"
    "    float key = max( dot( N, uKey ), 1e-4 ), fill = max( dot( N, uFill ), 0.0 ), rim = max( dot( N, uRim ), 0.0 );\n"
    "    vec3 keyLight = vec3( 0.70, 0.675, 0.64 ) * key;\n"
    "    c += diffuse * ( keyLight + fill * vec3( 0.165, 0.185, 0.225 ) + rim * vec3( 0.33, 0.34, 0.37 ) );\n"
    "    c += highlight( N, V, uKey, key, F0, a2 ) * keyLight;\n"
    "    oColor = vec4( shoulder( c + uEmissive ) * cover, base.a );\n"
    "}\n";

// The shadow is the figure seen from the key light, flattened on the ground: red is that silhouette, green the
// same straight from above, fading with height, which darkens the floor under feet and bellies.
const char sup_shadowVertexShader[] = "layout( location = 0 ) in vec3 aPosition;\n"
                                      "layout( location = 2 ) in vec2 aTexcoord;\n"
                                      "layout( location = 3 ) in vec4 aColor;\n"
                                      "uniform vec3 uOffset;\n"
                                      "uniform vec3 uLeft, uUp, uFront;\n"
                                      "uniform vec3 uToLight;\n" // along these three
                                      "uniform float uGround;\n"
                                      "uniform vec2 uCenter;\n"
                                      "uniform vec2 uHalf;\n"
                                      "uniform float uFade;\n"
                                      "out float vNear;\n"
                                      "out vec2 vTexcoord;\n"
                                      "out vec4 vColor;\n"
                                      "void main()\n"
                                      "{\n"
                                      "    vec3 w = aPosition + uOffset;\n"
                                      "    vec3 p = vec3( dot( uLeft, w ), dot( uUp, w ), dot( uFront, w ) );\n"
                                      "    float height = max( p.y - uGround, 0.0 );\n"
                                      "    vNear = exp( -height / uFade );\n"
                                      "    vec2 q = p.xz - uToLight.xz * ( height / uToLight.y );\n"
                                      "    vTexcoord = aTexcoord;\n"
                                      "    vColor = aColor;\n"
                                      "    gl_Position = vec4( ( q - uCenter ) / uHalf, 0.0, 1.0 );\n"
                                      "}\n";

const char sup_shadowFragmentShader[] = "in float vNear;\n"
                                        "in vec2 vTexcoord;\n"
                                        "in vec4 vColor;\n"
                                        "uniform bool uOpaque;\n"
                                        "uniform bool uMask;\n"
                                        "out vec4 oColor;\n"
                                        "void main()\n"
                                        "{\n"
                                        "    float a = uOpaque ? 1.0 : surfaceColor( vTexcoord, vColor ).a;\n"
                                        "    if ( uMask ) a = a >= uCutoff ? 1.0 : 0.0;\n"
                                        "    oColor = vec4( a, a * vNear, 0.0, 1.0 );\n"
                                        "}\n";

const char sup_blurVertexShader[] =
    "out vec2 vTexcoord;\n"
    "void main()\n"
    "{\n"
    "    vTexcoord = vec2( gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0 );\n"
    "    gl_Position = vec4( vTexcoord * 2.0 - 1.0, 1.0, 1.0 );\n"
    "}\n";

// Gaussian of 4.6 texels, one direction at a time; each tap stands between two texels where linear filtering weighs
// both of them rightly.
const char sup_blurFragmentShader[] =
    "in vec2 vTexcoord;\n"
    "uniform sampler2D uImage;\n"
    "uniform vec2 uStep;\n"
    "out vec4 oColor;\n"
    "vec2 taps( float place ) { return texture( uImage, vTexcoord + uStep * place ).rg + texture( uImage, vTexcoord - uStep * place ).rg; }\n"
    "void main()\n"
    "{\n"
    "    vec2 sum = 0.08869 * texture( uImage, vTexcoord ).rg;\n"
    "    sum += 0.16732 * taps( 1.4823 );\n"
    "    sum += 0.13248 * taps( 3.4587 );\n"
    "    sum += 0.08701 * taps( 5.4354 );\n"
    "    sum += 0.04741 * taps( 7.4123 );\n"
    "    sum += 0.02143 * taps( 9.3896 );\n"
    "    oColor = vec4( sum, 0.0, 1.0 );\n"
    "}\n";

const char sup_backgroundFragmentShader[] = "in vec2 vTexcoord;\n"
                                            "uniform vec4 uTop;\n"
                                            "uniform vec4 uBottom;\n"
                                            "out vec4 oColor;\n"
                                            "void main()\n"
                                            "{\n"
                                            "    vec4 c = mix( uBottom, uTop, smoothstep( 0.0, 1.0, vTexcoord.y ) );\n"
                                            "    oColor = vec4( c.rgb * c.a, c.a );\n"
                                            "}\n";

const char sup_groundVertexShader[] =
    "uniform mat4 uViewProjection;\n"
    "uniform vec3 uLeft, uUp, uFront;\n"
    "uniform vec3 uMiddle;\n" // along these three
    "uniform float uReach;\n"
    "out vec2 vPlace;\n"
    "void main()\n"
    "{\n"
    "    vec2 corner = vec2( ( gl_VertexID & 1 ) * 2 - 1, ( gl_VertexID & 2 ) - 1 );\n"
    "    vPlace = uMiddle.xz + corner * uReach;\n"
    "    vec3 position = uLeft * vPlace.x + uUp * uMiddle.y + uFront * vPlace.y;\n"
    "    gl_Position = uViewProjection * vec4( position, 1.0 );\n"
    "}\n";

// Lines a pixel wide at every distance, fading where they would run together. The background is worked out once more
// below them: that costs less than blending, which software drivers do for each sample.
const char sup_groundFragmentShader[] =
    "in vec2 vPlace;\n"
    "uniform vec3 uMiddle;\n"
    "uniform float uReach;\n"
    "uniform float uGrid;\n"
    "uniform float uPixel;\n"
    "uniform vec4 uLine;\n"
    "uniform sampler2D uImage;\n"
    "uniform vec2 uCenter;\n"
    "uniform vec2 uHalf;\n"
    "uniform vec4 uTop;\n"
    "uniform vec4 uBottom;\n"
    "uniform float uHeight;\n"
    "out vec4 oColor;\n"
    "float grid( vec2 p, float spacing )\n"
    "{\n"
    "    vec2 q = p / spacing;\n"
    "    vec2 w = fwidth( q ) * uPixel;\n"
    "    vec2 d = abs( fract( q - 0.5 ) - 0.5 );\n"
    "    vec2 lines = ( 1.0 - smoothstep( w * 0.4, w * 1.2, d ) ) * ( 1.0 - smoothstep( 0.15, 0.45, w ) );\n"
    "    return max( lines.x, lines.y );\n"
    "}\n"
    "void main()\n"
    "{\n"
    "    float far = length( vPlace - uMiddle.xz ) / uReach;\n"
    "    float fade = 1.0 - smoothstep( 0.25, 0.95, far );\n"
    "    float line = uLine.a * fade * max( grid( vPlace, uGrid ) * 0.55, grid( vPlace, uGrid * 5.0 ) );\n"
    "    vec2 uv = ( vPlace - uCenter ) / uHalf * 0.5 + 0.5;\n"
    "    vec2 shade = texture( uImage, uv ).rg;\n"
    "    float dark = 1.0 - ( 1.0 - 0.42 * shade.r ) * ( 1.0 - 0.45 * shade.g );\n"
    "    float a = 1.0 - ( 1.0 - line ) * ( 1.0 - dark );\n"
    "    vec4 c = vec4( uLine.rgb * line * ( 1.0 - dark ), a );\n"
    "    vec4 below = mix( uBottom, uTop, smoothstep( 0.0, 1.0, gl_FragCoord.y / uHeight ) );\n"
    "    oColor = c + vec4( below.rgb * below.a, below.a ) * ( 1.0 - a );\n"
    "}\n";

const char sup_overlayVertexShader[] =
    "layout( location = 0 ) in vec4 aPosition;\n"
    "layout( location = 1 ) in vec4 aColor;\n"
    "layout( location = 2 ) in vec3 aRound;\n" // across, along, radius: for discs and round ends
    "out vec4 vColor;\n"
    "noperspective out vec3 vRound;\n"
    "void main()\n"
    "{\n"
    "    vColor = aColor;\n"
    "    vRound = aRound;\n"
    "    gl_Position = aPosition;\n"
    "}\n";

const char sup_overlayFragmentShader[] = "in vec4 vColor;\n"
                                         "noperspective in vec3 vRound;\n"
                                         "uniform float uAlpha;\n"
                                         "out vec4 oColor;\n"
                                         "void main()\n"
                                         "{\n"
                                         "    float a = vColor.a * uAlpha;\n"
                                         "    if ( vRound.z > 0.0 )\n"
                                         "        a *= clamp( vRound.z - length( vRound.xy ) + 0.5, 0.0, 1.0 );\n"
                                         "    if ( a <= 0.0 ) discard;\n"
                                         "    oColor = vec4( vColor.rgb * a, a );\n"
                                         "}\n";

// ---------------------------------------------------------------------------------------------------------------

static supResult supCompileShader(
    const supGl* gl, const char* name, GLenum kind, const char* const* parts, int count, GLuint* out, supError* error )
{
    GLuint shader = gl->CreateShader( kind );
    gl->ShaderSource( shader, count, parts, NULL );
    gl->CompileShader( shader );
    GLint ok = 0;
    gl->GetShaderiv( shader, GL_COMPILE_STATUS, &ok );
    if ( ok == 0 )
    {
        char log[200] = "";
        gl->GetShaderInfoLog( shader, sizeof( log ), NULL, log );
        log[strcspn( log, "\r\n" )] = '\0'; // a message is one line
        gl->DeleteShader( shader );
        return supFail( error, sup_errorUnsupported, "the OpenGL driver refuses the %s shader: %s", name, log );
    }
    *out = shader;
    return sup_success;
}

supResult supCompileProgram( const supGl* gl, const char* name, const char* vertex, const char* fragmentPart,
    const char* fragment, GLuint* out, supError* error )
{
    const char* const vertexParts[] = { "#version 330 core\n", vertex };
    const char* const fragmentParts[] = { "#version 330 core\n", fragmentPart, fragment };
    GLuint vertexShader = 0, fragmentShader = 0;
    supResult result = supCompileShader( gl, name, GL_VERTEX_SHADER, vertexParts, 2, &vertexShader, error );
    if ( result == sup_success )
    {
        result = supCompileShader( gl, name, GL_FRAGMENT_SHADER, fragmentParts, 3, &fragmentShader, error );
    }
    if ( result == sup_success )
    {
        GLuint program = gl->CreateProgram();
        gl->AttachShader( program, vertexShader );
        gl->AttachShader( program, fragmentShader );
        gl->LinkProgram( program );
        GLint ok = 0;
        gl->GetProgramiv( program, GL_LINK_STATUS, &ok );
        if ( ok != 0 )
        {
            *out = program;
        }
        else
        {
            char log[200] = "";
            gl->GetProgramInfoLog( program, sizeof( log ), NULL, log );
            log[strcspn( log, "\r\n" )] = '\0';
            gl->DeleteProgram( program );
            result =
                supFail( error, sup_errorUnsupported, "the OpenGL driver cannot link the %s shaders: %s", name, log );
        }
    }
    gl->DeleteShader( vertexShader ); // freed with the program; 0 is passed over
    gl->DeleteShader( fragmentShader );
    return result;
}
