-- The network that one visitor may control: an IPv4 address, or the /64 of an IPv6 address. Other text stays unchanged.
-- Locks: none
create or replace function network_of(p_address text) returns text language plpgsql immutable as $$
begin
    return case when family(p_address::inet) = 6 then network(set_masklen(p_address::inet, 64))::text
                else host(p_address::inet) end;
exception when invalid_text_representation then
    return p_address;
end $$;
