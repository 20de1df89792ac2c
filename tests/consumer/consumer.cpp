// A C++ program that uses the installed core.
#include <supple/base.h>

#include <cstdio>
#include <string>

int main()
{
    const std::string version = supVersion();
    std::printf( "C++: supple %s\n", version.c_str() );
    return 0;
}
